// The built-in checks: what can be said of a change without a command, a model or a network. They serve the Action with
// files on a disk, and the App with blobs. The order in which files are named changes nothing in the report.
import { matchesAny } from '../../core/contract/glob.ts'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { ChangedFile, Tier1Check } from '../../core/decision/model.ts'
import { judgeFile, type FileJudgement } from './changed-file.ts'
import { expectedOutputs, expectedTypes } from './expected.ts'
import { readDiffs, unseenIn, type FileDiff } from './diff.ts'
import type { Finding } from './finding.ts'
import { hiddenText } from './hidden-text.ts'
import { oneLine, someOf } from './one-line.ts'
import { added, changedLines } from './patch.ts'
import { compare, makeReport, type Tier1Report } from './report.ts'
import { secretsCheck, secretsInDiff, unsearchedWords, wholeSearch } from './secrets.ts'
import { isTest } from './test-signs.ts'
import { weakenedTests } from './weakened-tests.ts'
import type { FileReading, Workspace } from './workspace.ts'

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
  const searched = readDiffs(all, options.patches ?? options.added)
  const diffs = options.patches === undefined ? searched.map(unopened) : searched
  const outOfSearch = new Set(unseenIn(searched).map(({ path }) => path))
  const whole = wholeSearch(settings)
  const judgements = await judgeFiles(all, workspace, settings, (path, reading) => {
    if (outOfSearch.has(path)) whole.search(path, reading)
  })
  const secrets = [...searched.flatMap((one) => secretsInDiff(one, settings)), ...whole.found]
  const signs = diffs.flatMap(signsIn)
  const unseen = unseenSources(diffs, judgements)
  const existing = judgements.filter(({ exists }) => exists).map(({ path }) => path)
  const checks = [
    ...toolCalls(options.tool_calls ?? []),
    ...returnCode(options.worker_exit_code ?? null),
    ...(await expectedOutputs(workspace, settings.expected_outputs)),
    ...expectedTypes(settings.expected_file_types, existing),
    ...fileCount(judged.length),
    ...judgements.flatMap(({ checks }) => checks),
    ...(settings.weakened_tests === 'fail' ? [weakenedCheck(signs, unseen)] : []),
    ...secretsCheck(secrets, settings),
  ]
  return makeReport({
    checks,
    findings: [...signs, ...secrets],
    warnings: [
      ...unseenWords(judgements),
      ...sqlWords(judgements),
      ...diffWords(unseen, options.patches !== undefined),
      ...unsearchedWords(whole.unsearched),
    ],
    failures: judgements.flatMap(({ failures }) => failures),
  })
}

/** Where only secrets are looked for, it is known of a file at least that no line of it changed. */
const unopened = ({ file, patch }: FileDiff): FileDiff => ({ file, patch: patch === '' ? '' : null })

function signsIn({ file, patch }: FileDiff): Finding[] {
  const lines = patch === null ? null : changedLines(patch)
  return [...weakenedTests(file, lines), ...hiddenText(file.path, added(lines ?? []))]
}

/** One byte makes a test binary, and it still runs; of any other binary nobody expects lines. */
function unseenSources(diffs: readonly FileDiff[], judgements: readonly FileJudgement[]): readonly ChangedFile[] {
  const binaries = new Set(judgements.filter(({ isBinary }) => isBinary).map(({ path }) => path))
  return unseenIn(diffs).filter((file) => !binaries.has(file.path) || isOfTests(file))
}

const isOfTests = ({ path, previous_path }: ChangedFile): boolean => isTest(path) || isTest(previous_path ?? '')

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
  onRead: (path: string, reading: FileReading) => void,
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
    for (const { path, reading } of read) onRead(path, reading)
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

function weakenedCheck(findings: readonly Finding[], unseen: readonly ChangedFile[]): Tier1Check {
  const found = findings.filter(({ category }) => category === 'weakened_test')
  const hidden = unseen.filter(isOfTests)
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

function diffWords(unseen: readonly ChangedFile[], isGiven: boolean): string[] {
  if (unseen.length === 0) return []
  const paths = unseen.map(({ path }) => path)
  const why = isGiven ? 'their diff is missing or too large' : 'no diff was given'
  return [`Weakened tests and hidden text were not looked for, because ${why}: ${someOf(paths, NAMED_FILES_MAX)}.`]
}
