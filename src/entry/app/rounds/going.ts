// When rounds are gone on, by which of several processes.
import { dueMs, regularly } from './regularly.ts'
import { rounds, type Parts, type Rounds } from './rounds.ts'

const ROUND_MS = 5 * 60_000
/** Between a round and one that is asked for: whoever asks again and again does not spend everybody's quota. */
const SOON_MS_MIN = 30_000
/** How often it is looked whether a commit in doubt is to be looked at. */
const DOUBTS_MS = 2_000
/** How often it is asked whether whoever looks at everything is still there. */
const LEAD_MS = 10_000
const LOOK_MS = 1_000

/** `leads`: whether this process is the one that looks at everything, from now on until it ends. */
type Leads = () => Promise<boolean>

type Going = Pick<Rounds, 'forget'> & {
  /** Something may have been missed just now: of an installation, while it did not let us in. */
  readonly soon: (letIn?: number) => void
  readonly stop: () => void
}

/** At the start, and then on a schedule, one at a time. */
export function startRounds(parts: Parts, leads: Leads = async () => true): Going {
  const { round, deliveries, doubts, late, forget, letIn } = rounds(parts)
  let last = -Infinity
  let isNew = true
  let isAsked = false
  let failures = 0
  const lead = async (): Promise<boolean> => {
    const apartMs = isAsked ? SOON_MS_MIN : dueMs(failures, ROUND_MS, SOON_MS_MIN)
    if (performance.now() - last < apartMs) return true
    if (await leads().catch(() => false)) {
      last = performance.now()
      isAsked = false
      failures = (await round()) ? 0 : failures + 1
    } else if (isNew) await late()
    isNew = false
    return true
  }
  const all = [
    regularly(deliveries, ROUND_MS, SOON_MS_MIN),
    regularly(lead, LEAD_MS, LOOK_MS),
    regularly(doubts, DOUBTS_MS, DOUBTS_MS),
  ]
  return {
    soon: (installation) => {
      if (installation !== undefined) letIn(installation)
      isAsked = true
      for (const one of all) one.soon()
    },
    stop: () => all.forEach((one) => one.stop()),
    forget,
  }
}
