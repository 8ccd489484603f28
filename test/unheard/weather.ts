// What GitHub does to an App while people and robots go on: a part of it fails, writes arrive of which nobody learns, and what is read
// is late or from before.
import { endpoints } from '../chaos/faults-of-endpoints.ts'
import type { GitHub } from '../github/github.ts'
import type { Fault, Trouble } from '../github/wire/faults.ts'
import type { Dice } from '../torture/story.ts'

const RARELY = 0.25
const bad: Trouble = { kind: 'answer', status: 502 }
const parts: readonly (readonly string[])[] = Object.values(endpoints)

const weathers: readonly (readonly [string, (dice: Dice) => readonly Fault[]])[] = [
  ['GitHub answers 502', () => [{ trouble: bad }]],
  ['half of what GitHub answers is 502', () => [{ percent: 50, trouble: bad }]],
  [
    'a part of GitHub answers 502',
    ({ below }) => (parts[below(parts.length)] ?? []).map((path) => ({ path, trouble: bad })),
  ],
  [
    'nobody learns what became of half of the writes',
    () => [{ method: 'write', percent: 50, trouble: { kind: 'reset', effect: 'after' } }],
  ],
  ['half of what is read is from before', () => [{ percent: 50, trouble: { kind: 'stale' } }]],
  ['half of what is read arrives late', () => [{ percent: 50, trouble: { kind: 'late', ms: 700 } }]],
]

/** Null in most steps. */
export function weather(github: Pick<GitHub, 'addFault' | 'removeFault'>, dice: Dice) {
  const [what, faults] = weathers[dice.below(weathers.length)] ?? []
  if (dice.chance() >= RARELY || what === undefined || faults === undefined) return null
  const ids = faults(dice).map((fault) => github.addFault(fault))
  return { what, ends: (): void => ids.forEach((id) => github.removeFault(id)) }
}
