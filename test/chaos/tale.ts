// One mixed story from a seed: pull requests that are approved, overruled, rejected in three ways, built, and pushed to again.
// People speak and machines report while something is wrong with the App; what was before and what comes after is calm.
import { dice, type Act, type Dice, type Scene } from '../torture/story.ts'

export type Tale = {
  readonly policies: readonly string[]
  readonly pulls: number
  /** What stands when the trouble begins; what people say in it, what machines report in it; and what happens behind it. */
  readonly before: Scene
  readonly said: Scene
  readonly reported: Scene
  readonly after: Scene
}
/** What happens to one pull request, by the policy of its shop. */
type Part = { readonly shop: 0 | 1 } & Readonly<Record<'before' | 'said' | 'reported' | 'after', readonly Act[]>>

const checks = 'verification: { checks: [{ name: build, check_run: build, app: github-actions }] }\n'
const policies = [checks, `merge_requires: completed\n${checks}`] as const

const push: Act = { kind: 'push' }
const passes: Act = { kind: 'check', conclusion: 'success' }
const fails: Act = { kind: 'check', conclusion: 'failure' }
const says = (by: string, words: string): Act => ({ kind: 'say', by, words })

const partsFrom = (roll: Dice): readonly Part[] => {
  const who = (): string => roll.oneOf(['bob', 'eve', 'ada'])
  const reason = (): string => roll.oneOf(['the runner lost its network', 'it is known to fail', 'we need it today'])
  const reject = (): Act =>
    says(who(), `/reject ${roll.oneOf(['not like this', 'the prices are wrong', 'ask me first'])}`)
  const objects: Act = { kind: 'review', by: roll.oneOf(['bob', 'eve']), event: 'REQUEST_CHANGES' }
  const approves: Act = { kind: 'review', by: roll.oneOf(['bob', 'eve']), event: 'APPROVE' }
  const label: Act = { kind: 'label', by: 'bob', label: 'countersign:reject', on: true }
  const overrides = roll.oneOf([`/override ${reason()}`, `/override --check build ${reason()}`])
  const quiet = { before: [push], said: [], reported: [], after: [] }
  return [
    { ...quiet, shop: 0, before: [push, fails], said: [says('ada', overrides)] },
    { ...quiet, shop: 0, said: [reject()], reported: [passes] },
    { ...quiet, shop: 0, said: [label], reported: [passes] },
    { ...quiet, shop: 0, said: [objects], reported: [passes], after: [push, passes] },
    { ...quiet, shop: 0, reported: [passes], after: [reject()] },
    { ...quiet, shop: 1, said: [approves], reported: [passes] },
    { ...quiet, shop: 1, said: [objects], reported: [passes] },
    { ...quiet, shop: 1, said: [reject()], reported: [fails], after: [push, passes] },
    { ...quiet, shop: 1, reported: [fails], after: [passes] },
    { ...quiet, shop: 1, before: [push, passes], reported: [push, passes], said: [] },
  ]
}

/** In each shop any of them may be the one that comes from a fork, and in each scene any may come first. */
export function aTale(seed: number): Tale {
  const roll = dice(seed)
  const parts = shuffled(partsFrom(roll), roll)
  const places = policies.map((_, shop) => parts.filter((part) => part.shop === shop))
  const scene = (when: 'before' | 'said' | 'reported' | 'after'): Scene => {
    const each = places.flatMap((row, shop) => row.map((part, pull) => ({ shop, pull, acts: part[when] })))
    return shuffled(each, roll).flatMap(({ shop, pull, acts }) => acts.map((act) => ({ shop, pull, act })))
  }
  return {
    policies,
    pulls: Math.max(...places.map(({ length }) => length)),
    before: scene('before'),
    said: scene('said'),
    reported: scene('reported'),
    after: scene('after'),
  }
}

function shuffled<T>(items: readonly T[], roll: Dice): readonly T[] {
  return items
    .map((item) => ({ item, place: roll.chance() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
