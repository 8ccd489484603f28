// What the changed lines of all files tell: signs of weakened tests and hidden text.
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Finding } from './finding.ts'
import { hiddenText } from './hidden-text.ts'
import { added, changedLines } from './patch.ts'
import { isTest } from './test-signs.ts'
import { weakenedTests } from './weakened-tests.ts'

export type Diff = {
  readonly findings: readonly Finding[]
  /** Files with changed lines that nobody showed us. */
  readonly unseen: readonly ChangedFile[]
}

/** Of all diffs together. A large pull request has a few million characters. */
const CHARACTERS_MAX = 32 * 1024 * 1024

export function readDiff(
  files: readonly ChangedFile[],
  patches: ReadonlyMap<string, string> | undefined,
  binaries: ReadonlySet<string>,
): Diff {
  const findings: Finding[] = []
  const unseen: ChangedFile[] = []
  let left = CHARACTERS_MAX
  for (const file of files) {
    const patch = patches?.get(file.path)
    const fits = patch !== undefined && patch.length <= left
    if (fits) left -= patch.length
    // Of a file that is only renamed there is no diff, and none of a binary.
    else if (file.status === 'added' || file.status === 'modified') {
      // One byte makes a test binary, and it still runs.
      if (!binaries.has(file.path) || isTest(file.path)) unseen.push(file)
    }
    const lines = fits ? changedLines(patch) : null
    findings.push(...weakenedTests(file, lines), ...hiddenText(file.path, added(lines ?? [])))
  }
  return { findings, unseen }
}
