// A story from a seed: what people and machines do to some pull requests, scene by scene. Within a scene the machines
// may be seen in any order, since the end is the same; a person acts alone, on what the scenes before have shown.
import { seededChance } from '../github/wire/faults.ts'

export type Act =
  | { readonly kind: 'push' }
  | { readonly kind: 'check'; readonly conclusion: Conclusion }
  | { readonly kind: 'say'; readonly by: string; readonly words: string }
  | { readonly kind: 'review'; readonly by: string; readonly event: 'APPROVE' | 'REQUEST_CHANGES' }
  | { readonly kind: 'dismiss' }
  | { readonly kind: 'label'; readonly by: string; readonly label: string; readonly on: boolean }
  | { readonly kind: 'draft'; readonly on: boolean }
  | { readonly kind: 'close' | 'reopen' }
  | { readonly kind: 'retarget'; readonly base: 'main' | 'release' }
  /** Into the merge queue as a group of its own, what runs on the group's commit, and out again. */
  | { readonly kind: 'queue' | 'dequeue' }
  | { readonly kind: 'group_check'; readonly conclusion: Conclusion }
  /** A second pull request on the same commit, what is said there, and its end. */
  | { readonly kind: 'twin' | 'close_twin' }
  | { readonly kind: 'say_to_twin'; readonly by: string; readonly words: string }
  /** What was said last in a comment is said in other words, by whoever said it. */
  | { readonly kind: 'reword'; readonly words: string }
  /** It is an attempt at an issue; that one waits for another one, and no longer. */
  | { readonly kind: 'issue' | 'block' | 'unblock' | 'close_blocker' }
  | { readonly kind: 'merge'; readonly by: string }
type Conclusion = 'success' | 'failure' | 'cancelled'
/** By the index of the shop and of the pull request in it. */
export type Step = { readonly shop: number; readonly pull: number; readonly act: Act }
export type Scene = readonly Step[]
/** One shop for each policy, and so many pull requests in each, the last of which comes from a fork. */
export type Story = {
  readonly policies: readonly string[]
  readonly pulls: readonly number[]
  readonly scenes: readonly Scene[]
}
export type Dice = {
  readonly chance: () => number
  readonly below: (bound: number) => number
  readonly oneOf: <T>(choices: readonly [T, ...T[]]) => T
}

const pullsPerShop = 2
const scenesPerStory = 7

const check = '{ name: build, check_run: build, app: github-actions }'
const policies = [
  `comment: always\nverification: { checks: [${check}] }\n`,
  `comment: always\nmerge_requires: completed\nverification: { checks: [${check}] }\n`,
  `verification: { checks: [${check}] }\noverride_policy: { direct_approval_allowed: true }\ncomment: always\n`,
  `verification: { checks: [${check}], retry: { max_attempts: 2, applies_to: everyone } }\ncomment: always\n`,
] as const

export function dice(seed: number): Dice {
  const chance = seededChance(seed)
  const below = (bound: number): number => Math.floor(chance() * bound)
  return { chance, below, oneOf: (choices) => choices[below(choices.length)] ?? choices[0] }
}

export function aStory(seed: number): Story {
  const roll = dice(seed)
  const chosen = [roll.oneOf(policies), roll.oneOf(policies)]
  const pulls = chosen.flatMap((_, shop) => Array.from({ length: pullsPerShop }, (__, pull) => ({ shop, pull })))
  const turns = pulls.map((place) => ({ place, scenes: turnsOf(roll) }))
  const scenes = Array.from({ length: scenesPerStory }, (_, index) =>
    turns.flatMap(({ place, scenes }) => (scenes[index] ?? []).map((act) => ({ ...place, act }))),
  )
  return { policies: chosen, pulls: chosen.map(() => pullsPerShop), scenes }
}

/** What happens to one pull request. It begins with a push, and now and then somebody looks away for a scene. */
function turnsOf(roll: Dice): readonly (readonly Act[])[] {
  const scenes: (readonly Act[])[] = [[{ kind: 'push' }, ...reports(roll)]]
  while (scenes.length < scenesPerStory) scenes.push(...turn(roll))
  return scenes.slice(0, scenesPerStory)
}

function turn(roll: Dice): readonly (readonly Act[])[] {
  const one = (act: Act) => [[act]]
  const say = (by: string, words: string) => one({ kind: 'say', by, words })
  const turns: readonly [() => readonly (readonly Act[])[], ...(() => readonly (readonly Act[])[])[]] = [
    () => [[{ kind: 'push' }, ...reports(roll)]],
    () => [[{ kind: 'push' }, ...reports(roll)]],
    () => [[{ kind: 'push' }, { kind: 'push' }, ...reports(roll)]],
    () => [reports(roll)],
    () => [reports(roll)],
    () => say('ada', '/override the runner lost its network'),
    () => say('ada', '/override --check build the runner lost its network'),
    () => say('agent', '/override I am right'),
    () => say('bob', '/reject not this way'),
    () => say('bob', '/revoke'),
    () => say('ada', '/revoke'),
    () => say('ada', '/retry the task was unclear'),
    () => say('ada', '/approve I read every line'),
    () => one({ kind: 'review', by: 'bob', event: 'APPROVE' }),
    () => [...one({ kind: 'review', by: 'eve', event: 'REQUEST_CHANGES' }), ...one({ kind: 'dismiss' })],
    () => [
      ...one({ kind: 'label', by: 'ada', label: 'countersign:override', on: true }),
      ...say('ada', '/reason the runner is broken'),
    ],
    () => [...one({ kind: 'draft', on: true }), ...one({ kind: 'draft', on: false })],
    () => [...one({ kind: 'close' }), ...one({ kind: 'reopen' })],
    () => one({ kind: 'retarget', base: 'release' }),
    () => [...one({ kind: 'retarget', base: 'release' }), ...one({ kind: 'retarget', base: 'main' })],
    () => [[{ kind: 'queue' }], groupReports(roll), ...(roll.chance() < 0.5 ? one({ kind: 'dequeue' }) : [])],
    () => [[{ kind: 'check', conclusion: 'success' }], [{ kind: 'queue' }, ...groupReports(roll)]],
    () => [...one({ kind: 'twin' }), reports(roll)],
    () => [
      ...one({ kind: 'twin' }),
      ...one({ kind: 'say_to_twin', by: 'bob', words: '/reject not twice' }),
      ...one({ kind: 'close_twin' }),
    ],
    () => [[]],
  ]
  return roll.oneOf(turns)()
}

const reports = (roll: Dice): Act[] => conclusions(roll).map((conclusion) => ({ kind: 'check', conclusion }))
const groupReports = (roll: Dice): Act[] => conclusions(roll).map((conclusion) => ({ kind: 'group_check', conclusion }))

function conclusions(roll: Dice): Conclusion[] {
  return Array.from({ length: roll.below(4) }, () =>
    roll.oneOf(['success', 'success', 'failure', 'failure', 'cancelled']),
  )
}
