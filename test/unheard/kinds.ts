// What a change is judged by, and who makes it.

/** What a robot finds out, and how it says so. */
export type Check = { readonly name: string; readonly by: 'a check run' | 'a status' | 'the Action' }

/** `approvers`: one of these has to approve it; null where nobody has to. */
export type Kind = {
  readonly policy: string
  readonly checks: readonly [Check, ...Check[]]
  readonly approvers: readonly string[] | null
  readonly isGuest: boolean
  /** Whether a label that overrides needs a reason. */
  readonly asksWhy: boolean
}

const build: Check = { name: 'build', by: 'a check run' }
const byStatus: Check = { name: 'scan', by: 'a status' }
const byAction: Check = { name: 'test', by: 'the Action' }
const completed = 'merge_requires: completed\n'
const byLabel = 'override_policy: { check_override_requires_reason: false }\n'
const stages = `review:
  stages: [{ name: peers, by: [bob, eve] }]
`

const found = {
  'a check run': (name: string) => `check_run: ${name}, app: github-actions`,
  'a status': (name: string) => `status: ${name}`,
  'the Action': (name: string) => `command: npm ${name}`,
}
type Wish = { readonly more?: string } & Partial<Omit<Kind, 'policy'>>

function aKind({ more = '', checks = [build], approvers = null, isGuest = false, asksWhy = true }: Wish): Kind {
  const asked = checks.map(({ name, by }) => `    - { name: ${name}, ${found[by](name)} }\n`)
  const policy = `version: 1\nidentities: { agents: [agent] }\nverification:\n  checks:\n${asked.join('')}${more}${asksWhy ? '' : byLabel}`
  return { policy, checks, approvers, isGuest, asksWhy }
}

const kinds: readonly Kind[] = [
  aKind({ more: completed, approvers: ['ada', 'bob', 'eve'] }),
  aKind({}),
  aKind({ more: stages, approvers: ['bob', 'eve'] }),
  aKind({ isGuest: true }),
  aKind({ checks: [byStatus] }),
  aKind({ checks: [build, byStatus] }),
  aKind({ more: completed, approvers: ['ada', 'bob', 'eve'], checks: [byStatus, build] }),
  aKind({ checks: [byAction] }),
  aKind({ asksWhy: false }),
  aKind({ more: completed, approvers: ['ada', 'bob', 'eve'], checks: [byAction, build] }),
]
export const kindOf = (seed: number): Kind => kinds[seed % kinds.length] ?? aKind({})
