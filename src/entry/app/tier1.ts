// Tier 1 in the App, for attempts that no run of the Action is owed for: every check is adopted from existing CI, or
// there is none. It looks at the files of the commit through the API; what needs an interpreter is a warning.
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import { commitFiles, type CommitFiles } from '../../adapters/github/commit-files.ts'
import { languageOf } from '../../checks/tier1/syntax/syntax.ts'
import { tier1 } from '../../checks/tier1/tier1.ts'
import { FILE_BYTES_MAX, type Workspace } from '../../checks/tier1/workspace.ts'
import { FINDINGS_MAX } from '../../core/decision/results/handed-over.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Forge } from '../../ports.ts'

export function withTier1(forge: Forge, octokit: GitHubClient, place: Place): Forge {
  return {
    ...forge,
    results: async (attempt) => {
      const [adopted, own] = await Promise.all([
        forge.results(attempt),
        owed(attempt) ? judged(octokit, place, attempt) : [],
      ])
      return [...own, ...adopted]
    },
  }
}

const owed = ({ contract, tier1: record, files }: Attempt): boolean =>
  record === null && files !== null && contract.policy.verification.checks.every(({ command }) => command === undefined)

async function judged(octokit: GitHubClient, place: Place, attempt: Attempt): Promise<Input[]> {
  const { id: attempt_id, head_sha, files, contract } = attempt
  const tree = await commitFiles(octokit, place, head_sha)
  const settings = contract.policy.verification.tier1
  const { passed, checks, findings, feedback, warnings } = await tier1(
    files ?? [],
    workspaceOf(tree, settings.sql_dialect),
    settings,
  )
  return [
    {
      type: 'report_tier1',
      attempt_id,
      run: `app-${head_sha}`,
      passed,
      checks: checks.filter((check) => !check.passed),
      findings: findings.slice(0, FINDINGS_MAX),
      feedback,
      unseen: warnings,
    },
  ]
}

function workspaceOf({ files, complete }: CommitFiles, sqlDialect: string | null): Workspace {
  return {
    list: async () => [...files.keys()],
    read: async (path) => {
      const file = files.get(path)
      if (file === undefined)
        return complete ? { kind: 'missing' } : { kind: 'unavailable', why: 'GitHub cut the list of files' }
      if (file.kind === 'submodule') return { kind: 'submodule' }
      if (file.kind === 'symlink') return { kind: 'symlink', target: await file.target() }
      // What is not parsed need not be fetched; its size is in the list.
      const parsed = languageOf(path, sqlDialect) !== null
      if (!parsed || file.size > FILE_BYTES_MAX) return { kind: 'too_large', size: file.size }
      return { kind: 'file', bytes: await file.bytes(), size: file.size }
    },
  }
}
