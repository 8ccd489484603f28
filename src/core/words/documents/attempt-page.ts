// The document of an attempt as plain text for a terminal: what was decided, what failed, and who can change it.
import { visible } from '../../visible.ts'
import type { AttemptDocument } from './attempt-schema.ts'

const OUTPUT_LINES_MAX = 10

export function attemptPage(document: AttemptDocument): string {
  const { repository, pull, head_sha, headline, attempt, task, may_push, waiting_for, checks, verifier } = document
  const failed = checks.filter(({ state }) => state === 'failed' || state === 'timed_out' || state === 'missing')
  const parts = [
    [`${repository}#${pull ?? '?'} at ${head_sha.slice(0, 7)}: ${headline}`],
    [
      [attempt?.text ?? '', task === null ? '' : `Task: ${task}.`].filter((part) => part !== '').join(' '),
      `Push: ${may_push.allowed === true ? 'yes' : 'no'}, ${may_push.why}.`,
      ...(waiting_for.from === null || waiting_for.from === 'nobody' ? [] : [`Waits for: ${waiting_for.from}.`]),
    ],
    part(
      'Why',
      document.reasons.map(({ text }) => text),
    ),
    part(
      'Warnings',
      document.warnings.map(({ text }) => text),
    ),
    ...failed.map(({ name, state, exit_code, problems, output }) => [
      `${name}: ${state.replace('_', ' ')}${exit_code === null ? '' : `, exit code ${exit_code}`}`,
      ...indented([
        ...problems.map(({ path, line, message }) => `${path}:${line}  ${message}`),
        ...(output === '' ? [] : output.split('\n').slice(-OUTPUT_LINES_MAX)),
      ]),
    ]),
    part('Built-in checks', document.tier1?.failures.map(({ name, detail }) => `${name}: ${detail}`) ?? []),
    part('Outside the scope', document.scope?.violations.map(({ path, why }) => `${path} (${why})`) ?? []),
    part('The AI review', [
      ...(verifier?.feedback ? [verifier.feedback] : []),
      ...(verifier?.findings.map(({ path, line, claim }) => `${path}:${line}  ${claim}`) ?? []),
    ]),
    part(
      'People',
      document.people?.map(({ who, did, reason }) => `${who}: ${did}${reason === '' ? '' : `: ${reason}`}`) ?? [],
    ),
    part(
      'What to do next',
      document.unblock.map(({ who, words }) => `${who}: ${words}`),
    ),
    document.truncated.length === 0 ? [] : [`Not whole: ${document.truncated.join(', ')}.`],
  ]
  return visible(parts.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n'))
}

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...indented(lines)]

const indented = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`.trimEnd())
