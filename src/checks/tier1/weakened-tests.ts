// Signs that a change makes its tests say less: tests that are gone, left out or run alone, fewer assertions, lower
// thresholds, rewritten snapshots. A sign is a reason to look, not a proof, so it fails nothing unless policy says so.
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Finding, Severity } from './finding.ts'
import { oneLine } from './one-line.ts'
import { added, removed, type PatchLine } from './patch.ts'
import { asserts, isSnapshot, isTest, leavesOut } from './test-signs.ts'
import { loweredThresholds } from './thresholds.ts'

/** The rest of a longer line is data, and not worth the time. */
const LINE_LENGTH_MAX = 2000

/** Without the changed lines, only what the list of files tells is known. */
export function weakenedTests(file: ChangedFile, changed: readonly PatchLine[] | null): Finding[] {
  const { path } = file
  const find = (line: number, severity: Severity, message: string): Finding => {
    return { path, line, severity, category: 'weakened_test', message }
  }
  if (file.status === 'removed') {
    if (isTest(path)) return [find(1, 'HIGH', 'This test file was deleted.')]
    return isSnapshot(path) ? [find(1, 'MEDIUM', 'This snapshot was deleted.')] : []
  }
  const moved = file.status === 'renamed' && isTest(file.previous_path ?? '') && !isTest(path)
  const from = oneLine(file.previous_path ?? '')
  const lines = (changed ?? []).map((one) => ({ ...one, text: one.text.slice(0, LINE_LENGTH_MAX) }))
  return [
    ...(moved ? [find(1, 'HIGH', `This was the test file ${from}; under its new name no test is expected.`)] : []),
    ...(isRewrittenSnapshot(file, changed) ? [find(1, 'MEDIUM', 'This snapshot was rewritten.')] : []),
    ...leftOut(path, lines).map(({ line, words }) => find(line, 'MEDIUM', words)),
    ...focused(path, lines).map(({ line, words }) => find(line, 'HIGH', words)),
    ...fewerAssertions(file, lines).map(({ line, words }) => find(line, 'MEDIUM', words)),
    ...loweredThresholds(path, lines).map(({ line, message }) => find(line, 'HIGH', message)),
  ]
}

type Sign = { readonly line: number; readonly words: string }

function leftOut(path: string, lines: readonly PatchLine[]): Sign[] {
  return newWith(lines, (text) => leavesOut(path, text) === 'skip').map(({ line }) => {
    return { line, words: 'This leaves a test out.' }
  })
}

function focused(path: string, lines: readonly PatchLine[]): Sign[] {
  return newWith(lines, (text) => leavesOut(path, text) === 'focus').map(({ line }) => {
    return { line, words: 'This runs one test alone and leaves the others out.' }
  })
}

/** Added lines with a sign, but for those that were only moved or indented. */
function newWith(lines: readonly PatchLine[], hasSign: (text: string) => boolean): PatchLine[] {
  const gone = removed(lines)
    .map(({ text }) => text.trim())
    .filter(hasSign)
  return added(lines).filter(({ text }) => {
    if (!hasSign(text)) return false
    const known = gone.indexOf(text.trim())
    if (known !== -1) gone.splice(known, 1)
    return known === -1
  })
}

function fewerAssertions(file: ChangedFile, lines: readonly PatchLine[]): Sign[] {
  if (!isTest(file.path) && !isTest(file.previous_path ?? '')) return []
  const before = removed(lines).filter(({ text }) => asserts(text))
  const after = added(lines).filter(({ text }) => asserts(text))
  const [first] = before
  if (first === undefined || before.length <= after.length) return []
  return [{ line: first.line, words: `${before.length} assertions were removed here and ${after.length} added.` }]
}

function isRewrittenSnapshot({ path, status }: ChangedFile, changed: readonly PatchLine[] | null): boolean {
  if (!isSnapshot(path)) return false
  // New entries in an old snapshot rewrite nothing, and neither does a new name.
  return changed === null ? status !== 'added' : removed(changed).length > 0
}
