// Results of a SARIF 2.1.0 report. What has another shape is skipped, not guessed at.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
import { z } from 'zod'
import { PROBLEMS_MAX } from '../../core/problems/lines.ts'
import { problemAt, type Folders, type Problem } from '../../core/problems/problem.ts'

const location = z.object({
  physicalLocation: z.object({
    artifactLocation: z.object({ uri: z.string() }),
    region: z.object({ startLine: z.number().optional(), startColumn: z.number().optional() }).optional(),
  }),
})
const result = z.object({
  level: z.enum(['none', 'note', 'warning', 'error']).catch('warning').default('warning'),
  ruleId: z.string().optional(),
  message: z.object({ text: z.string() }),
  locations: z.array(location).min(1),
  suppressions: z.array(z.unknown()).default([]),
})
const report = z.object({ runs: z.array(z.object({ results: z.array(z.unknown()).default([]) })).default([]) })

export function sarifProblems(json: string, folders: Folders): Problem[] {
  const found: Problem[] = []
  for (const run of report.parse(JSON.parse(json)).runs) {
    for (const one of run.results) {
      if (found.length >= PROBLEMS_MAX) return found
      const problem = problemOf(one, folders)
      if (problem !== null) found.push(problem)
    }
  }
  return found
}

function problemOf(one: unknown, folders: Folders): Problem | null {
  const parsed = result.safeParse(one)
  if (!parsed.success || parsed.data.suppressions.length > 0) return null
  const { level, ruleId, message, locations } = parsed.data
  const [at] = locations
  if (at === undefined || level === 'none' || level === 'note') return null
  const { artifactLocation, region } = at.physicalLocation
  const path = decodedPath(artifactLocation.uri)
  const words = ruleId === undefined ? message.text : `${message.text} (${ruleId})`
  const said = { path, line: region?.startLine ?? 1, column: region?.startColumn, level, message: words }
  // SARIF paths are those of the repository, wherever the tool ran.
  return problemAt(said, { ...folders, directory: '.' })
}

function decodedPath(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
