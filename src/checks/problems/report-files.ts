// The report files that a check names under `report:`, as problems in files. A report is written by the code under
// test: it is read only within the checkout, through no link, and only so far.
import type { CheckRule } from '../../core/contract/policy/policy.ts'
import { readFileWithin } from '../read-file.ts'
import { junitProblems } from './junit.ts'
import type { Folders, Problem } from '../../core/problems/problem.ts'
import { sarifProblems } from './sarif.ts'

const REPORT_BYTES_MAX = 16 * 1024 * 1024

export type ReportReading = { readonly problems: readonly Problem[]; readonly warnings: readonly string[] }

/** A report is looked for where the check ran. One that was written before the check began is not its own. */
export async function reportProblems(check: CheckRule, folders: Folders, beganAt: string): Promise<ReportReading> {
  const { junit, sarif } = check.report ?? {}
  const wanted = [
    ...(junit === undefined ? [] : [{ path: junit, read: junitProblems }]),
    ...(sarif === undefined ? [] : [{ path: sarif, read: sarifProblems }]),
  ]
  const readings = await Promise.all(
    wanted.map(async ({ path, read }): Promise<ReportReading> => {
      try {
        return { problems: read(await textOf(path, folders, beganAt), folders), warnings: [] }
      } catch (error) {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
        return { problems: [], warnings: [`The report ${path} of \`${check.name}\` could not be read: ${why}`] }
      }
    }),
  )
  return {
    problems: readings.flatMap(({ problems }) => problems),
    warnings: readings.flatMap(({ warnings }) => warnings),
  }
}

async function textOf(path: string, { root, directory }: Folders, beganAt: string): Promise<string> {
  const { bytes, mtimeMs } = await readFileWithin(root, [directory, path], REPORT_BYTES_MAX)
  // File systems tell time less finely than we do.
  if (mtimeMs < Date.parse(beganAt) - 2_000) throw new Error('it is older than the check')
  return bytes.toString('utf8')
}
