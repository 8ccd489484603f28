// A repository as it was while a pull request of the past was open, for an engine that judges it again: read from GitHub, and
// nothing is ever written there.
import type { Forge, PolicyTexts, PullNow } from '../../ports.ts'

type Past = {
  /** What governs, in place of what the base says today. */
  readonly policy: string
  /** Where each of the pull requests stood at its end. */
  readonly pulls: ReadonlyMap<number, PullNow>
}

export function asItWas(forge: Forge, { policy, pulls }: Past): Forge {
  const texts: PolicyTexts = { sha: '', own: policy, organisation: null }
  const nothing = async (): Promise<void> => undefined
  const nobody = { id: null, login: 'ghost', kind: 'human' } as const
  const nowhere = async (): Promise<{ ref: null }> => ({ ref: null })
  const { starter: _nothingToBegin, ...reading } = forge
  return {
    ...reading,
    show: nowhere,
    announce: nowhere,
    reply: nothing,
    react: nothing,
    removeLabel: nothing,
    runs: async () => [],
    stands: async () => null,
    policy: async () => texts,
    policyCopy: async () => null,
    now: async (pull) => pulls.get(pull) ?? null,
    kindOf: async (pull) => (pulls.has(pull) ? 'open' : 'merged'),
    lastLook: async (pull) => ({
      now: pulls.get(pull) ?? null,
      said: null,
      at_issue: null,
      closes: null,
      above: [],
      twins: [],
    }),
    stateOf: async (pull) => {
      const now = pulls.get(pull)
      return now === undefined ? { kind: 'merged', by: nobody } : { kind: 'open', now }
    },
    // Of a branch that is gone nobody tells who moved it: whoever wrote and opened it counts.
    pushers: async () => [],
    movedAt: async () => null,
    brief: async (heard, options) => {
      const { facts, terms } = await forge.brief(heard, options)
      return {
        facts: { ...facts, open: true, draft: false, conflicts: false },
        queued: [],
        terms: async () => {
          const { issues, issues_complete } = await terms()
          return { policy: texts, issues: issues.map((issue) => ({ ...issue, open: true })), issues_complete }
        },
      }
    },
  }
}
