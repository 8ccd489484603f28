// What is to be written where, and why: a policy for what was found, and the workflow that its commands need.
import { readPolicy } from '../../core/contract/policy/read-policy.ts'
import { policyFile } from '../../core/contract/scope.ts'
import type { PolicyProblem } from '../../core/contract/problem.ts'
import { workflowText } from '../../core/words/run/workflow-text.ts'
import type { Ci } from './existing-ci.ts'
import type { Check, Toolchain } from './toolchains.ts'

export const workflowFile = '.github/workflows/countersign.yml'

export type Found = {
  readonly toolchains: readonly Toolchain[]
  readonly ci: Ci
  /** The policy that is there already. */
  readonly policy: string | null
}
export type Proposal =
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, string>; readonly checks: readonly string[] }
  /** The policy that is there is not valid. */
  | { readonly kind: 'problems'; readonly problems: readonly PolicyProblem[] }

/** `run`: as commands also what a workflow reports already. */
export function proposalFor(found: Found, run: boolean): Proposal {
  const text = found.policy ?? policyText(found, run)
  const reading = readPolicy(text, policyFile)
  if (!reading.ok) return { kind: 'problems', problems: reading.problems }
  const { checks, execution } = reading.policy.verification
  const files = new Map<string, string>()
  if (found.policy === null) files.set(policyFile, text)
  if (checks.some(({ command }) => command !== undefined)) {
    const written = workflowText(
      reading.policy,
      execution.isolation,
      found.toolchains.flatMap(({ steps }) => steps),
    )
    if (written.kind === 'text') files.set(workflowFile, written.text)
  }
  return { kind: 'files', files, checks: checks.map(({ name }) => name) }
}

function policyText({ toolchains, ci }: Found, run: boolean): string {
  const adopted = run ? [] : ci.adoptable
  const commands = adopted.length > 0 ? [] : distinct(toolchains)
  const lines = [
    ...adopted.map(({ job, workflow }) => {
      const name = JSON.stringify(job)
      return `    - { name: ${name}, check_run: ${name}, app: github-actions, workflow: ${JSON.stringify(workflow)} }`
    }),
    ...commands.map(
      ({ name, command }) => `    - { name: ${JSON.stringify(name)}, command: ${JSON.stringify(command)} }`,
    ),
  ]
  const checks =
    lines.length === 0
      ? '  # Nothing was found that could be run. Until a check stands here, a human is asked about every pull request.\n  checks: []\n'
      : `  checks:\n${lines.join('\n')}\n`
  return `# What a pull request has to hold before it may merge. Only the copy on the base branch governs.
version: 1
verification:
${checks}  verifier:
    enabled: auto # an independent model reads the change where the App has a key
    criteria: |
      - New tests cover the added behaviour
# A change of these is acknowledged by a human.
protected_paths: [".github/**"]
`
}

/** Two tools may both have a check called `test`. */
function distinct(toolchains: readonly Toolchain[]): readonly Check[] {
  const all = toolchains.flatMap(({ name: tool, checks }) => checks.map((check) => ({ tool, ...check })))
  return all.map(({ tool, name, command }) => ({
    name: all.filter((other) => other.name === name).length > 1 ? `${tool} ${name}` : name,
    command,
  }))
}
