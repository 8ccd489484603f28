// One mixed story from a seed: pull requests that are approved, overruled, rejected, blocked, queued, built, pushed to again and
// moved about. People speak and machines report while something is wrong with the App; what was before and what comes after is
// calm.
import { dice, type Dice, type Scene, type Story } from '../torture/story.ts'
import { shopsFrom, type Part } from './parts.ts'

export type Tale = Pick<Story, 'policies' | 'pulls'> & Readonly<Record<keyof Part, Scene>>

/** In each shop any of them may be the one that comes from a fork, and in each scene any may come first. */
export function aTale(seed: number): Tale {
  const roll = dice(seed)
  const shops = shopsFrom(roll).map(({ policy, parts }) => ({ policy, parts: shuffled(parts, roll) }))
  const scene = (when: keyof Part): Scene => {
    const each = shops.flatMap(({ parts }, shop) => parts.map((part, pull) => ({ shop, pull, acts: part[when] })))
    return shuffled(each, roll).flatMap(({ shop, pull, acts }) => acts.map((act) => ({ shop, pull, act })))
  }
  return {
    policies: shops.map(({ policy }) => policy),
    pulls: shops.map(({ parts }) => parts.length),
    before: scene('before'),
    said: scene('said'),
    reported: scene('reported'),
    after: scene('after'),
  }
}

/**
 * Where a tale is about what the record alone knows: how many attempts there were, commits that are not judged any more, and merge
 * groups on their way. The places are `shop/pull`.
 */
export function onRecordAlone(tale: Tale): ReadonlySet<string> {
  const all = [tale.before, tale.said, tale.reported, tale.after].flat()
  const counted = tale.policies.map((policy) => policy.includes('max_attempts'))
  return placesOf(all.filter(({ shop, act }) => counted[shop] === true || knownByRecord.includes(act.kind)))
}

/** Where words are about a base that the pull request has left: whoever knows nothing of them does not look for them any more. */
export const leftBehind = (tale: Tale): ReadonlySet<string> =>
  placesOf([tale.said, tale.reported].flat().filter(({ act }) => act.kind === 'retarget'))

const placesOf = (scene: Scene): ReadonlySet<string> => new Set(scene.map(({ shop, pull }) => `${shop}/${pull}`))

const knownByRecord: readonly string[] = ['queue', 'close', 'draft', 'retarget']

function shuffled<T>(items: readonly T[], roll: Dice): readonly T[] {
  return items
    .map((item) => ({ item, place: roll.chance() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
