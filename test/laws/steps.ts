// What can happen to a few pull requests that share commits, trees, bases and an issue, as plain steps. Some of them are
// what nobody may do; whoever plays them tells the rules and the oracle the same.
import fc from 'fast-check'

/** Two pull requests of one issue, and one of another task. */
export const pulls = [1, 2, 3] as const
export const trees = [0, 1, 2] as const
export const bases = ['main', 'lax'] as const
export type Base = (typeof bases)[number]

export const commands = [
  'override', 'override-test', 'override-verifier', 'approve', 'reject', 'ack', 'revoke', 'retry', 'confirm',
] as const // prettier-ignore
export type CommandName = (typeof commands)[number]

export type Step =
  /** `empty`: another commit of the same tree. */
  | {
      readonly kind: 'push'
      readonly pull: number
      readonly tree: number
      readonly commit: number
      readonly known: boolean
    }
  | { readonly kind: 'retarget'; readonly pull: number; readonly base: Base }
  | {
      readonly kind: 'files'
      readonly pull: number
      readonly files: 'source' | 'outside' | 'protected' | 'empty' | 'cut'
    }
  | { readonly kind: 'tier1'; readonly pull: number; readonly passed: boolean; readonly run: number }
  | {
      readonly kind: 'check'
      readonly pull: number
      readonly state: 'passed' | 'failed' | 'missing'
      readonly run: number
    }
  | {
      readonly kind: 'verdict'
      readonly pull: number
      readonly outcome: 'PASS' | 'SOFT_FAIL' | 'HARD_FAIL' | 'REFER'
      readonly sure: boolean
    }
  | { readonly kind: 'shown'; readonly pull: number }
  | {
      readonly kind: 'say'
      readonly pull: number
      readonly who: number
      readonly command: CommandName
      readonly stale: boolean
      readonly through: boolean
    }
  | {
      readonly kind: 'review'
      readonly pull: number
      readonly who: number
      readonly approves: boolean
      readonly stale: boolean
    }
  | { readonly kind: 'dismiss'; readonly pull: number; readonly who: number; readonly whose: number }
  | {
      readonly kind: 'label'
      readonly pull: number
      readonly who: number
      readonly act: 'override' | 'approve' | 'reject'
      readonly added: boolean
    }
  | { readonly kind: 'reason'; readonly pull: number; readonly who: number }
  | { readonly kind: 'close'; readonly pull: number }
  | { readonly kind: 'reopen'; readonly pull: number }
  | { readonly kind: 'made_by'; readonly pull: number; readonly who: number }
  | { readonly kind: 'rename'; readonly who: number }
  | { readonly kind: 'repeat' }

export const people = 7

const pull = fc.constantFrom(...pulls)
const who = fc.integer({ min: 0, max: people - 1 })
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
const mostly = rarely.map((is) => !is)
const run = fc.integer({ min: 1, max: 2 })
const tree = fc.constantFrom(...trees)

const steps: readonly (readonly [number, fc.Arbitrary<Step>])[] = [
  [4, fc.record({ kind: fc.constant('push'), pull, tree, commit: fc.constantFrom(0, 1), known: mostly })],
  [2, fc.record({ kind: fc.constant('retarget'), pull, base: fc.constantFrom(...bases) })],
  [5, fc.record({ kind: fc.constant('files'), pull, files: fc.constantFrom('source', 'source', 'source', 'source', 'outside', 'protected', 'empty', 'cut') })],
  [5, fc.record({ kind: fc.constant('tier1'), pull, passed: mostly, run })],
  [7, fc.record({ kind: fc.constant('check'), pull, state: fc.constantFrom('passed', 'passed', 'passed', 'failed', 'missing'), run })],
  [5, fc.record({ kind: fc.constant('verdict'), pull, outcome: fc.constantFrom('PASS', 'PASS', 'SOFT_FAIL', 'HARD_FAIL', 'REFER'), sure: mostly })],
  [2, fc.record({ kind: fc.constant('shown'), pull })],
  [9, fc.record({ kind: fc.constant('say'), pull, who, command: fc.constantFrom(...commands), stale: rarely, through: rarely })],
  [5, fc.record({ kind: fc.constant('review'), pull, who, approves: fc.boolean(), stale: rarely })],
  [2, fc.record({ kind: fc.constant('dismiss'), pull, who, whose: who })],
  [2, fc.record({ kind: fc.constant('label'), pull, who, act: fc.constantFrom('override', 'approve', 'reject'), added: mostly })],
  [1, fc.record({ kind: fc.constant('reason'), pull, who })],
  [1, fc.record({ kind: fc.constant('close'), pull })],
  [1, fc.record({ kind: fc.constant('reopen'), pull })],
  [1, fc.record({ kind: fc.constant('made_by'), pull, who })],
  [1, fc.record({ kind: fc.constant('rename'), who })],
  [1, fc.constant({ kind: 'repeat' })],
] as readonly (readonly [number, fc.Arbitrary<Step>])[] // prettier-ignore

const step: fc.Arbitrary<Step> = fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary })))

export type Rules = {
  readonly verifier: boolean
  readonly requires: 'success' | 'completed' | 'verified'
  readonly direct: boolean
  readonly overridable: boolean
  readonly separation: 'auto' | 'triple'
  /** There is no policy on `main` yet: each commit is judged by the one that it brings along. */
  readonly proposes: boolean
}
export type History = { readonly rules: Rules; readonly steps: readonly Step[] }

const rules: fc.Arbitrary<Rules> = fc.record({
  verifier: fc.boolean(),
  requires: fc.constantFrom('success' as const, 'success' as const, 'completed' as const, 'verified' as const),
  direct: fc.boolean(),
  overridable: mostly,
  separation: fc.constantFrom('auto' as const, 'triple' as const),
  proposes: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
})

/** What makes a place green where nobody stands in the way, so that one wrong step is seen. */
const facts = (number: number): Step[] => [
  { kind: 'files', pull: number, files: 'source' },
  { kind: 'tier1', pull: number, passed: true, run: 1 },
  { kind: 'check', pull: number, state: 'passed', run: 1 },
  { kind: 'verdict', pull: number, outcome: 'PASS', sure: true },
]

const beginning = (number: number): Step[] => [
  { kind: 'push', pull: number, tree: number === 3 ? 1 : 0, commit: number % 2, known: true },
  ...facts(number),
]

/** A new place mostly gets its facts at once: most histories would end before it could be green. */
const moves: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 5, arbitrary: step.map((one) => [one]) },
  {
    weight: 2,
    arbitrary: fc.record({ pull, tree, commit: fc.constantFrom(0, 1) }).map((to): Step[] => {
      return [{ kind: 'push', known: true, ...to }, ...facts(to.pull)]
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ pull, base: fc.constantFrom(...bases) }).map((to): Step[] => {
      return [{ kind: 'retarget', ...to }, ...facts(to.pull)]
    }),
  },
)

export const histories: fc.Arbitrary<History> = fc.record({
  rules,
  steps: fc
    .tuple(fc.subarray([...pulls], { minLength: 1 }), fc.array(moves, { minLength: 3, maxLength: 20 }))
    .map(([begun, more]) => [...begun.flatMap(beginning), ...more.flat()]),
})
