// `countersign test`: policy tests, played through the very rules that the App uses, offline.
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { sayReason, sayWarning } from '../../core/words/say.ts'
import { CannotRun, readText, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import type { Expected } from './cases/case-format.ts'
import { playCase, type Played } from './cases/play-case.ts'
import { readCases, type PolicySource, type ReadCase } from './cases/read-cases.ts'
import { noOption } from './common/wrong-option.ts'

const defaultFile = '.github/countersign.test.yml'

const help = `countersign test [files] [--json]

Runs policy tests, by default those in ${defaultFile}. Each case gives facts about a pull request and what people said,
and expects a decision. The decision is made by the same rules as in the App; nothing is fetched and no model is asked.

  --json   print { passed, failed, cases } for programs
  --help   this text

Exit code 0: every case holds. 1: at least one does not. 2: the tests could not run.`

type Difference = { readonly key: string; readonly expected: unknown; readonly actual: unknown }
type Outcome = {
  readonly file: string
  readonly name: string
  readonly holds: boolean
  readonly expected: Expected
  readonly actual: ReturnType<typeof actualOf>
  readonly differences: readonly Difference[]
}

export const test: CliCommand = { name: 'test', summary: 'run policy tests', help, run }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--json')
  if (unknown !== undefined) {
    io.err(`countersign test: ${noOption(unknown, ['json', 'help'])}. \`countersign test --help\` says what there is.`)
    return 2
  }
  const files = args.filter((arg) => !arg.startsWith('-'))
  const json = args.includes('--json')
  try {
    const outcomes: Outcome[] = []
    for (const file of files.length > 0 ? files : [defaultFile]) outcomes.push(...(await runFile(file)))
    const failed = outcomes.filter(({ holds }) => !holds).length
    const passed = outcomes.length - failed
    io.out(
      json ? JSON.stringify({ passed, failed, cases: outcomes }, null, 2) : table(outcomes, passed, failed, io.color),
    )
    return failed === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign test', error, json, io)
  }
}

async function runFile(file: string): Promise<Outcome[]> {
  const text = await readText(file, 'Write it, or name another file. See `countersign test --help`.')
  const cases = await readCases(text, file, (policy) => readPolicyFile(policy, file))
  return cases.map((one) => outcomeOf(file, one, playCase(one.given, one.policy)))
}

/** A policy is found beside the test file or above it, as in the repository's root, or else where the command runs. */
async function readPolicyFile(policy: string, testFile: string): Promise<PolicySource> {
  const file = foldersFrom(dirname(resolve(testFile)))
    .map((folder) => join(folder, policy))
    .find((path) => !isAbsolute(policy) && existsSync(path))
  const named = file === undefined ? policy : relative(process.cwd(), file)
  return { text: await readText(named, `It is named by \`policy\` in ${testFile}.`), file: named }
}

/** Up to where git begins. */
function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, '.git')) ? [folder] : [folder, ...foldersFrom(above)]
}

export function outcomeOf(file: string, { name, expect: expected }: ReadCase, played: Played): Outcome {
  const actual = actualOf(played)
  const differences = differencesOf(expected, played)
  return { file, name, holds: differences.length === 0, expected, actual, differences }
}

function actualOf({ decision, refused }: Played) {
  const { status, by, row, reasons, warnings, who_can_unblock } = decision
  return {
    status,
    by,
    row,
    reasons: reasons.map((reason) => ({ code: reason.code, text: sayReason(reason) })),
    warnings: warnings.map((warning) => ({ code: warning.code, text: sayWarning(warning) })),
    who_can_unblock,
    refused,
  }
}

/** Only what the case names is compared. An empty list of warnings expects that there are none. */
function differencesOf(expected: Expected, played: Played): Difference[] {
  const actual = actualOf(played)
  const differences: Difference[] = []
  for (const key of ['status', 'by', 'row', 'refused'] as const) {
    const wanted = expected[key]
    if (wanted !== undefined && wanted !== actual[key]) differences.push({ key, expected: wanted, actual: actual[key] })
  }
  const { reason, warnings } = expected
  if (reason !== undefined && !actual.reasons.some((one) => mentions(one, reason))) {
    differences.push({
      key: 'reason',
      expected: reason,
      actual: actual.reasons.map(({ code, text }) => `${code}: ${text}`),
    })
  }
  if (warnings === undefined) return differences
  const missing = warnings.filter((fragment) => !actual.warnings.some((one) => mentions(one, fragment)))
  if (missing.length > 0 || (warnings.length === 0 && actual.warnings.length > 0)) {
    differences.push({ key: 'warnings', expected: warnings, actual: actual.warnings.map(({ text }) => text) })
  }
  return differences
}

const mentions = ({ code, text }: { code: string; text: string }, fragment: string): boolean =>
  code === fragment || text.toLowerCase().includes(fragment.toLowerCase())

function table(outcomes: readonly Outcome[], passed: number, failed: number, color: boolean): string {
  const paint = (code: number, text: string): string => (color ? `\u001B[${code}m${text}\u001B[0m` : text)
  const rows = outcomes.map(({ holds, name, actual, differences }) => {
    const mark = holds ? paint(32, 'ok  ') : paint(31, 'FAIL')
    const line = `${mark}  ${actual.status.padEnd(7)}  ${(actual.by ?? '-').padEnd(12)}  ${actual.row.padEnd(12)}  ${name}`
    return [line, ...differences.map((one) => difference(one, paint))].join('\n')
  })
  const head = `      ${'status'.padEnd(7)}  ${'by'.padEnd(12)}  ${'row'.padEnd(12)}  case`
  return [head, ...rows, '', `${passed} passed, ${failed} failed`].join('\n')
}

function difference({ key, expected, actual }: Difference, paint: (code: number, text: string) => string): string {
  const lines = (value: unknown): string => (Array.isArray(value) ? value.join('; ') || 'none' : String(value))
  return `      ${paint(32, `- ${key}: ${lines(expected)}`)}\n      ${paint(31, `+ ${key}: ${lines(actual)}`)}`
}
