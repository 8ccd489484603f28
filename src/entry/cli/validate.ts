// `countersign validate`: tells whether a policy file is valid, and where it is not, before anybody relies on it.
import { createReadStream } from 'node:fs'
import { styleText } from 'node:util'
import { visible } from '../../core/visible.ts'
import type { Policy } from '../../core/contract/policy/policy.ts'
import type { PolicyProblem } from '../../core/contract/problem.ts'
import { POLICY_BYTES_MAX, readPolicy } from '../../core/contract/policy/read-policy.ts'
import { policyFile } from '../../core/contract/scope.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { wordsOf } from '../../core/error-words.ts'
import { noOption } from './common/wrong-option.ts'

const LINE_LENGTH_MAX = 120

export const validate: CliCommand = {
  name: 'validate',
  summary: 'check a policy file',
  help: `countersign validate [file] [--json]

Checks a policy file: every key, every type, every word. Without a file it checks ${policyFile};
\`-\` reads standard input.

  --json   print { "valid", "file", "problems": [{ "file", "line", "column", "key", "message", "nearest" }] }
  --help   print this

Exit code 0: valid, 1: invalid, 2: the file could not be read.`,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '-')
  const files = args.filter((arg) => !options.includes(arg))
  if (options.includes('--help') || options.includes('-h')) {
    io.out(validate.help)
    return 0
  }
  const unknown = options.find((option) => option !== '--json')
  if (unknown !== undefined) return refused(io, noOption(unknown, ['json', 'help']))
  if (files.length > 1) return refused(io, 'name one file at a time')
  const source = files[0] ?? policyFile
  const file = source === '-' ? '<stdin>' : source
  const text = await textOf(source).catch((error: unknown) => {
    io.err(`countersign validate: cannot read ${file}: ${whyUnreadable(error)}`)
    return null
  })
  return text === null ? 2 : judge(text, file, options.includes('--json'), io)
}

function refused(io: Io, why: string): ExitCode {
  io.err(`countersign validate: ${why}. \`countersign validate --help\` says what there is.`)
  return 2
}

/** At most one byte more than a policy may have, so that endless input ends. */
async function textOf(source: string): Promise<string> {
  const stream = source === '-' ? process.stdin : createReadStream(source, { end: POLICY_BYTES_MAX })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > POLICY_BYTES_MAX) break
  }
  // A character may be cut at the end of a file that is too large, so only what could be valid is decoded strictly.
  return new TextDecoder('utf-8', { fatal: size <= POLICY_BYTES_MAX }).decode(Buffer.concat(chunks))
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'there is no such file. Name another one, or run this in the root of the repository.'
  if (code === 'EISDIR') return 'it is a directory. Name the policy file in it.'
  if (code === 'EACCES') return 'you may not read it.'
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not text in UTF-8.'
  return wordsOf(error)
}

function judge(text: string, file: string, json: boolean, io: Io): ExitCode {
  const reading = readPolicy(text, file)
  const problems = reading.ok ? [] : reading.problems
  if (json) io.out(JSON.stringify({ valid: reading.ok, file, problems }, null, 2))
  else if (reading.ok) io.out(`${file} is valid. ${summaryOf(reading.policy)}`)
  else io.out(problemsText(problems, text, io.color))
  return reading.ok ? 0 : 1
}

function problemsText(problems: readonly PolicyProblem[], text: string, color: boolean): string {
  const lines = text.split(/\r\n|\n/)
  const shown = problems.map((problem) => problemText(problem, lines[problem.line - 1] ?? '', color))
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return [...shown, `${count}. Nothing of this file would govern until it is corrected.`].join('\n\n')
}

function problemText({ file, line, column, message }: PolicyProblem, source: string, color: boolean): string {
  const from = Math.max(0, column - LINE_LENGTH_MAX / 2)
  const excerpt = visible(source.slice(from, from + LINE_LENGTH_MAX)).replaceAll('\t', ' ')
  const caret = `${' '.repeat(Math.max(0, column - 1 - from))}^`
  const marked = color ? styleText('red', caret, { validateStream: false }) : caret
  const where = `${file}:${line}:${column}  ${message}`
  return excerpt.trim() === '' ? where : [where, `    ${excerpt}`, `    ${marked}`].join('\n')
}

/** What the policy demands of a pull request, in a few sentences. */
function summaryOf({ mode, merge_requires, verification }: Policy): string {
  const required = verification.checks.filter((check) => check.required).map((check) => visible(check.name))
  const others = verification.checks.length - required.length
  const informing = others === 0 ? '' : ` (and ${others} that only ${others === 1 ? 'informs' : 'inform'})`
  const checks =
    required.length === 0 ? `No check is required${informing}.` : `Required checks${informing}: ${required.join(', ')}.`
  const modes = { enforce: '', shadow: ' It only watches (`mode: shadow`).', off: ' It is switched off (`mode: off`).' }
  return `${checks} ${verifierText(verification.verifier)} ${mergeText[merge_requires]}${modes[mode]}`
}

function verifierText({ enabled, tier, votes }: Policy['verification']['verifier']): string {
  if (enabled === false || tier === 1) return 'No verifier is asked.'
  const how = tier === 3 ? `in tier 3 with ${votes} votes` : 'in tier 2'
  return enabled === 'auto'
    ? `The verifier judges ${how} where the App has a model.`
    : `The verifier must judge, ${how}.`
}

const mergeText = {
  success: 'A merge needs no approval besides.',
  completed: 'A merge needs an approval too.',
  verified: 'A merge needs an approval and an independent confirmation too.',
} as const satisfies Record<Policy['merge_requires'], string>
