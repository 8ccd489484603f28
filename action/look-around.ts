// What is found out about the checkout before any check runs: tier 1 on what is committed, and by what its files are
// known, so that what the checks do to them can be told afterwards without asking a program.
import { getInput } from '@actions/core'
import type { Clone } from '../src/checks/checkout/clone.ts'
import { commitWorkspace, entriesOf } from '../src/checks/checkout/commit-workspace.ts'
import { ignoredBy } from '../src/checks/checkout/ignored.ts'
import { python } from '../src/checks/checkout/python.ts'
import { looksOf, type Looks } from '../src/checks/checkout/work-tree.ts'
import type { Tier1Report } from '../src/checks/tier1/report.ts'
import { tier1 } from '../src/checks/tier1/tier1.ts'
import type { Policy } from '../src/core/contract/policy/policy.ts'
import type { Changes } from './changes.ts'
import type { Part } from './part.ts'
import { readToolCalls } from './tool-calls.ts'

export type Surroundings = {
  /** Null where a job runs one check alone: then another has tier 1. */
  readonly builtIn: Tier1Report | null
  /** How the files look now, in the checkout or in a copy of it. */
  readonly look: (root: string) => Looks
}

export async function lookAround(
  clone: Clone,
  commit: string,
  changes: Changes,
  policy: Policy,
  part: Part,
): Promise<Surroundings> {
  const { root, git } = clone
  const interpreter = python(clone)
  try {
    const entries = await entriesOf(git, commit)
    const workspace = commitWorkspace(git, entries, interpreter.parse)
    const isIgnored = await ignoredBy(workspace)
    const look = (place: string): Looks => looksOf(place, entries, isIgnored)
    if (part.kind === 'check') return { builtIn: null, look }
    const exit = getInput('worker_exit_code')
    const builtIn = await tier1(changes.files, workspace, policy.verification.tier1, {
      patches: changes.patches,
      tool_calls: await readToolCalls(getInput('tool_calls'), root),
      // Anything that is no number is no success either.
      worker_exit_code: exit === '' ? null : /^-?\d{1,9}$/.test(exit) ? Number(exit) : 1,
    })
    return { builtIn, look }
  } finally {
    interpreter.end()
  }
}
