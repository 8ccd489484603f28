// Histories in which some of the words come late, held against the same ones heard in order.
import fc from 'fast-check'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Policy } from '../../src/core/contract/policy/policy.ts'
import { talkative, type Step } from './histories.ts'
import { at, play } from './play.ts'

type Timed = { readonly input: Input; readonly at: string }

const timeOf = (index: number): string => new Date(Date.parse(at) + index * 10_000).toISOString()

/** Each is told, or said, ten seconds after the one before it. */
function timed(input: Input, index: number): Timed {
  const now = timeOf(index)
  if ('saying' in input) return { at: now, input: { ...input, saying: { ...input.saying, at: now } } }
  if (input.type === 'open_attempt') return { at: now, input: { ...input, head_at: now } }
  const isResult = input.type === 'report_check' || input.type === 'report_tier1'
  return { at: now, input: isResult ? { ...input, ended_at: now } : input }
}

/** `inVain`: the words to which the ones before them had left nothing to do. */
type Outcome = {
  readonly isGreen: boolean
  readonly confirmations: number
  readonly acted: ReadonlySet<string>
  readonly inVain: ReadonlySet<string>
}

function run(told: readonly Timed[]): Outcome {
  let task = emptyTask('acme/shop#7')
  let confirmations = 0
  const acted = new Set<string>()
  const inVain = new Set<string>()
  for (const { input, at: now } of told) {
    const events = decide(task, input, now)
    confirmations += events.filter(({ type }) => type === 'TaskVerified').length
    for (const event of events) {
      if (event.type === 'HumanOverride') acted.add(event.data.key)
      if (event.type === 'CommandRefused' && nothingLeft.has(event.data.why)) inVain.add(event.data.key)
    }
    task = events.reduce((state, event) => evolve(state, event, now), task)
  }
  const isGreen = task.attempts.some(({ live, decision }) => live && decision?.status === 'success')
  return { isGreen, confirmations, acted, inVain }
}
const nothingLeft: ReadonlySet<string> = new Set(['nothing_to_override', 'nothing_to_acknowledge'])

/** What a commit changes is so from its beginning, however late it is listed: here it is listed at once. */
function listedAtOnce(steps: readonly Step[]): readonly Step[] {
  const others = steps.filter(({ kind }) => kind !== 'files')
  return others.flatMap((one): Step[] =>
    one.kind === 'push' ? [one, { kind: 'files', files: changes[one.commit] ?? 'source' }] : [one],
  )
}

const changes: Readonly<Record<number, string>> = { 3: 'outside', 4: 'protected', 5: 'empty' }

/**
 * What a commit that was put aside has cost is not reckoned anew when a word about it comes late, and a reason that comes before
 * its label completes nothing.
 */
const plain = (policy: Policy): Policy => ({
  ...policy,
  override_policy: { ...policy.override_policy, check_override_requires_reason: false },
  verification: { ...policy.verification, retry: { ...policy.verification.retry, max_attempts: 99 } },
})

/** Whoever hears a label or a review late asks GitHub what became of it, which the rules cannot: see `words/taken-back`. */
function endsIt(later: Input, word: Input): boolean {
  if (later.type === 'dismiss_review') return word.type === 'submit_review' && later.review_id === word.saying.key
  return later.type === 'set_label' && !later.added && word.type === 'set_label' && later.act === word.act
}

/** Who confirms a commit does so whatever is still to be said of it. */
const mayBeLate = (input: Input): boolean =>
  'saying' in input && !(input.type === 'give_command' && input.command.name === 'task')

/** As they are heard where some of the words come so many places late. */
function heardLate(told: readonly Timed[], delays: readonly number[]): readonly Timed[] {
  const placed = told.map((one, index) => {
    const delay = mayBeLate(one.input) ? (delays[index % delays.length] ?? 0) : 0
    return { one, place: Math.min(index + delay, told.length - 1), index, isLate: delay > 0 }
  })
  // Behind what was told meanwhile; of two that come late the one that was said first is not heard first.
  const inOrder = placed.toSorted(
    (a, b) => a.place - b.place || Number(a.isLate) - Number(b.isLate) || b.index - a.index,
  )
  return inOrder.map(({ one, place }) => ({ ...one, at: timeOf(place) }))
}

/** How many of so many histories had something late in them; the smallest one that is green only by that is thrown. */
export function tryLate(numRuns: number): number {
  let late = 0
  const delays = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 5, 8, 13, 40), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(talkative, delays, ({ policy, steps }, by) => {
      const inputs: Input[] = []
      play(plain(policy), listedAtOnce(steps), ({ input }) => void inputs.push(input))
      const told = inputs.map(timed)
      const heard = heardLate(told, by)
      const isOver = ({ input: word }: Timed, place: number): boolean =>
        heard.slice(0, place).some(({ input }) => endsIt(input, word))
      if (heard.some(isOver)) return true
      late += heard.some((one, place) => one.input !== told[place]?.input) ? 1 : 0
      const [behind, once] = [run(heard), run(told)]
      // A confirmation that came to nothing stays that, and so does what somebody allowed who was told that nothing was left to
      // allow, though what had allowed it was taken back later. They are free to say it again.
      const isInVain =
        behind.confirmations < once.confirmations || [...once.inVain].some((key) => behind.acted.has(key))
      return !behind.isGreen || once.isGreen || isInVain
    }),
    { numRuns },
  )
  return late
}
