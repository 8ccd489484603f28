// The built-in checks: what can be said of a change without a command, a model or a network. They serve the Action with
// files on a disk, and the App with blobs. The order in which files are named changes nothing in the report.
import { matchesAny } from '../../core/contract/glob.ts'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { ChangedFile, Tier1Check } from '../../core/decision/model.ts'
import { judgeFile, type FileJudgement } from './changed-file.ts'
import { expectedOutputs, expectedTypes } from './expected.ts'
import { readDiff, type Diff } from './diff.ts'
import { oneLine, someOf } from './one-line.ts'
import { compare, makeReport, type Tier1Report } from './report.ts'
import { secretsCheck, secretsIn } from './secrets.ts'
import { isTest } from './test-signs.ts'
import type { Workspace } from './workspace.ts'

export type ToolCallRecord = {
  readonly tool: string
  readonly result: {
    readonly success: boolean
    readonly error: string | null
    readonly files_changed: readonly string[]
  }
}
export type Tier1Options = {
  /** Hunks by path, as GitHub gives them. An empty text: no line changed. */
  readonly patches?: ReadonlyMap<string, string> | undefined
  /** The same where only secrets are looked for in them. */
  readonly added?: ReadonlyMap<string, string> | undefined
  /** A log that the builder handed over. Nobody vouches for it, so it can only make tier 1 fail. */
  readonly tool_calls?: readonly ToolCallRecord[] | undefined
  readonly worker_exit_code?: number | null | undefined
}

/** GitHub names no more changed files of a pull request. */
const FILES_MAX = 3000
const CONCURRENCY_MAX = 32
/** Of all files together, which takes seconds. */
const PARSED_BYTES_MAX = 32 * 1024 * 1024
const TOOL_CALLS_MAX = 1000
const NAMED_FILES_MAX = 5

export async function tier1(
  files: readonly ChangedFile[],
  workspace: Workspace,
  settings: Verification['tier1'],
  options: Tier1Options = {},
): Promise<Tier1Report> {
  const inOrder = files.toSorted((one, other) => compare(one.path, other.path))
  const judged = withoutIgnored(inOrder, settings.ignore)
  const all = judged.slice(0, FILES_MAX)
  const judgements = await judgeFiles(all, workspace, settings)
  const diff = readDiff(all, options.patches, new Set(judgements.filter((one) => one.isBinary).map(({ path }) => path)))
  const secrets = secretsIn(all, options.patches ?? options.added ?? new Map(), settings)
  const existing = judgements.filter(({ exists }) => exists).map(({ path }) => path)
  const checks = [
    ...toolCalls(options.tool_calls ?? []),
    ...returnCode(options.worker_exit_code ?? null),
    ...(await expectedOutputs(workspace, settings.expected_outputs)),
    ...expectedTypes(settings.expected_file_types, existing),
    ...fileCount(judged.length),
    ...judgements.flatMap(({ checks }) => checks),
    ...(settings.weakened_tests === 'fail' ? [weakenedCheck(diff)] : []),
    ...secretsCheck(secrets, settings),
  ]
  return makeReport({
    checks,
    findings: [...diff.findings, ...secrets],
    warnings: [...unseenWords(judgements), ...sqlWords(judgements), ...diffWords(diff, options.patches !== undefined)],
    failures: judgements.flatMap(({ failures }) => failures),
  })
}

/** A file that moves to where nobody looks is gone, as far as anybody can see. */
function withoutIgnored(files: readonly ChangedFile[], patterns: readonly string[]): ChangedFile[] {
  return files.flatMap((file) => {
    if (!matchesAny(patterns, file.path)) return [file]
    const { previous_path: from } = file
    if (from === null || matchesAny(patterns, from)) return []
    return [{ path: from, previous_path: null, status: 'removed' as const }]
  })
}

async function judgeFiles(
  files: readonly ChangedFile[],
  workspace: Workspace,
  settings: Verification['tier1'],
): Promise<FileJudgement[]> {
  let left = PARSED_BYTES_MAX
  const mayParse = (bytes: number): boolean => {
    left -= bytes
    return left >= 0
  }
  const paths = files.filter(({ status }) => status !== 'removed').map(({ path }) => path)
  const judgements: FileJudgement[] = []
  for (let start = 0; start < paths.length; start += CONCURRENCY_MAX) {
    const batch = paths.slice(start, start + CONCURRENCY_MAX)
    const read = await Promise.all(batch.map(async (path) => ({ path, reading: await workspace.read(path) })))
    const context = { workspace, settings, mayParse }
    judgements.push(...(await Promise.all(read.map(({ path, reading }) => judgeFile(path, reading, context)))))
  }
  return judgements
}

function toolCalls(calls: readonly ToolCallRecord[]): Tier1Check[] {
  const checks = calls.slice(0, TOOL_CALLS_MAX).map(({ tool, result: { success, error } }) => {
    const detail = error === null || error === '' ? 'The tool call failed and said nothing.' : oneLine(error)
    return { name: `tool_${tool}_success`, passed: success, detail: success ? null : detail }
  })
  if (calls.length <= TOOL_CALLS_MAX) return checks
  return [...checks, { name: 'tool_calls', passed: false, detail: `There are more than ${TOOL_CALLS_MAX} tool calls.` }]
}

function returnCode(code: number | null): Tier1Check[] {
  if (code === null) return []
  return [{ name: 'return_code', passed: code === 0, detail: code === 0 ? null : `The return code was ${code}.` }]
}

/** What was not looked at cannot pass. */
function fileCount(count: number): Tier1Check[] {
  if (count <= FILES_MAX) return []
  const detail = `${count} files changed, and at most ${FILES_MAX} are checked. Split the change, or ignore what is generated.`
  return [{ name: 'file_count', passed: false, detail }]
}

function weakenedCheck({ findings, unseen }: Diff): Tier1Check {
  const found = findings.filter(({ category }) => category === 'weakened_test')
  const hidden = unseen.filter(({ path, status }) => status === 'modified' && isTest(path))
  const places = found.map(({ path, line, message }) => `${path} line ${line}: ${message}`)
  const all = [...places, ...hidden.map(({ path }) => `${path} changed, and its diff cannot be seen`)]
  return {
    name: 'weakened_tests',
    passed: all.length === 0,
    detail: all.length === 0 ? null : someOf(all, NAMED_FILES_MAX),
  }
}

/** One sentence for each thing that nobody looked at, however many files it concerns. */
function unseenWords(judgements: readonly FileJudgement[]): string[] {
  const groups = new Map<string, string[]>()
  for (const { path, unseen } of judgements) {
    if (unseen === null) continue
    const words = `${unseen.what}, because ${unseen.why}`
    groups.set(words, [...(groups.get(words) ?? []), path])
  }
  return Array.from(groups, ([words, paths]) => `${words}: ${someOf(paths, NAMED_FILES_MAX)}.`)
}

function sqlWords(judgements: readonly FileJudgement[]): string[] {
  if (!judgements.some(({ language }) => language === 'SQL')) return []
  return ['SQL is checked for quotes, comments and parentheses that do not close, and not parsed any further.']
}

function diffWords({ unseen }: Diff, isGiven: boolean): string[] {
  if (unseen.length === 0) return []
  const paths = unseen.map(({ path }) => path)
  const why = isGiven ? 'their diff is missing or too large' : 'no diff was given'
  return [`Weakened tests and hidden text were not looked for, because ${why}: ${someOf(paths, NAMED_FILES_MAX)}.`]
}
