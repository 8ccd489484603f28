// Whether the gate does its work, told so that machines can read it: each trouble has a name that stays, words for people,
// and figures. Whoever knows of another kind of trouble brings one more function that names its reasons.
import type { DeadLetter, InboxStatus } from '../../../adapters/inbox/inbox.ts'
import type { Made } from '../../../adapters/store/notes/made.ts'
import { outageWords, OWN_DATABASE, type Outage } from '../hearing/outages.ts'
import { within, type Weather } from '../hearing/patience.ts'
import { wordsOf } from '../../../core/error-words.ts'

export type Reason = {
  readonly reason: string
  readonly words: string
  readonly [figure: string]: unknown
}
export type Reasons = () => readonly Reason[]

export type Health = { readonly ok: boolean; readonly details: unknown }

type Parts = {
  readonly made: Made
  readonly status: () => Promise<InboxStatus>
  readonly dead: (limit: number) => Promise<readonly DeadLetter[]>
  readonly weather: Weather
  /** In milliseconds since 1970, by the clock that the inbox goes by. */
  readonly now: () => number
  /** How many tasks are to be shown within a moment. */
  readonly soon: () => number
  /** What is known without the database. */
  readonly more: readonly Reasons[]
}

/** Who watches asks often, and wants to hear within a moment. */
const ANSWER_MS_MAX = 2_000
const OLD_SECONDS = 60
const DEAD_MAX = 10
const TOLD_MAX = 10

/** However many ask at once, the database is asked once. */
export function healthOver({ made, status, dead, weather, now, soon, more }: Parts): () => Promise<Health> {
  const look = async (): Promise<{ inbox?: InboxStatus; reasons: readonly Reason[] }> => {
    try {
      const inbox = await within(ANSWER_MS_MAX, status())
      const letters = inbox.dead === 0 ? [] : await within(ANSWER_MS_MAX, dead(DEAD_MAX))
      // It may answer questions and take no writes.
      const trouble = weather.trouble()
      const database = trouble === null ? [] : [databaseAway(trouble)]
      return { inbox, reasons: [...database, ...oldIn(inbox, now()), ...deadIn(inbox, letters)] }
    } catch (error) {
      weather.onError(error)
      return { reasons: [databaseAway(error)] }
    }
  }
  const store = { id: made.id, since: made.since }
  let looking: ReturnType<typeof look> | null = null
  return async () => {
    looking ??= look().finally(() => (looking = null))
    const { inbox, reasons } = await looking
    return healthFor([...reasons, ...more.flatMap((those) => those().slice(0, TOLD_MAX))], {
      store,
      soon: soon(),
      ...(inbox && { inbox }),
    })
  }
}

export const healthFor = (reasons: readonly Reason[], more: object = {}): Health => ({
  ok: reasons.length === 0,
  details: { status: reasons.length === 0 ? 'ok' : 'not ready', reasons, ...more },
})

export const databaseAway = (error: unknown): Reason => ({
  reason: 'database',
  words: 'the database does not answer',
  why: wordsOf(error),
})

/** Of one installation, or of our own database; what was heard there waits. */
export function outOfReach({ installation, since, error: why }: Outage): Reason {
  const words = outageWords(installation).began
  return installation === OWN_DATABASE
    ? { reason: 'database', words, since, why }
    : { reason: 'github', words, installation, since, why }
}

function oldIn({ oldest_waiting_at: since, waiting }: InboxStatus, now: number): readonly Reason[] {
  if (since === null) return []
  const seconds = Math.floor((now - Date.parse(since)) / 1_000)
  if (seconds <= OLD_SECONDS) return []
  return [{ reason: 'inbox', words: `the oldest delivery waits for ${seconds} seconds`, seconds, waiting }]
}

function deadIn({ dead }: InboxStatus, letters: readonly DeadLetter[]): readonly Reason[] {
  if (dead === 0) return []
  const words = `${dead === 1 ? 'one delivery was' : `${dead} deliveries were`} given up; see countersign inbox list`
  return [{ reason: 'dead', words, dead, letters: letters.map(({ guid, key }) => ({ guid, line: key })) }]
}
