// The verifier in the App: asked through a queue of its own, since it takes minutes and nothing may wait for it; its answer
// comes back through the inbox, and a push ends what it supersedes.
import { gateNames } from '../../core/decision/gate-report.ts'
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Model } from '../../verifier/calls/model.ts'
import type { TaskPurses } from '../../verifier/calls/money.ts'
import type { Arrival, Inbox } from '../../adapters/inbox/inbox.ts'
import type { Purses } from '../../adapters/store/notes/spending.ts'
import type { Attempt, GateName } from '../../core/decision/model.ts'
import { gateKey } from '../../core/decision/record/keys.ts'
import { waitingFor, type Session, type SlowAnswer } from '../../engine/heard/answered.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Steps } from '../../engine/verify/steps/step.ts'
import type { OnPause } from '../../engine/verify/asking/breakers.ts'
import { builtInVerifier } from '../../engine/verify/verifier.ts'
import type { Clock, Evidence, Forge, GateAnswer, Store, Verifier } from '../../ports.ts'
import type { PageSeen } from '../../verifier/vision/page.ts'
import type { Reading } from '../../engine/verify/reading.ts'
import type { ModelSettings } from '../wire.ts'
import { pagesSeen } from './pages.ts'
import type { Repositories } from './repositories.ts'
import { repositoryIn } from '../../core/names.ts'

/** The name under which an answer stands in the inbox; GitHub has no event of this name. */
export const answerEvent = 'countersign.answer'

const session = z.object({
  stream: z.string(),
  attempt_id: z.string(),
  session_id: z.string(),
  gate: z.enum(gateNames).optional(),
})
/** Written by this product and kept in its own database; only its frame is looked at. */
const isAnswer = (value: unknown): value is SlowAnswer =>
  typeof value === 'object' && value !== null && 'type' in value && String(value.type).startsWith('report_')
export const answerShape = z.object({ session, answer: z.custom<SlowAnswer>(isAnswer) })

type Parts = {
  readonly places: Repositories
  readonly store: Store
  readonly clock: Clock
  /** What ids of fences are derived from, so that nobody can guess one. */
  readonly secret: string
  readonly secrets: readonly string[]
  readonly onPause: OnPause
  /** Told of a step around a verification that threw. */
  readonly onFault: (error: unknown) => void
  readonly steps: Steps
  /** Null where the gate for screenshots looks at them itself. */
  readonly vision: VisionJudge | null
  /** What an installation may spend; null where the operator set no limit. */
  readonly purses: Purses | null
  /** What a task may spend. */
  readonly taskPurses: TaskPurses
  /** Looks at a picture in a thread, for a repository by its key. */
  readonly look: Parameters<typeof pagesSeen>[0]['look']
  /** By the key of the repository that it concerns. */
  readonly reading: (key: string) => Reading
}

/** Screenshots of an attempt judged by a program of its own, in place of measuring and of a model. */
export type VisionJudge = (shown: {
  readonly attempt: Attempt
  readonly pages: readonly PageSeen[]
}) => Promise<Pick<GateAnswer, 'verdict' | 'summary' | 'report'>>

/** The client of a model is loaded where there is one to ask. */
async function modelOf(settings: ModelSettings): Promise<Model> {
  const { anthropicModel } = await import('../../adapters/anthropic/model.ts')
  return anthropicModel(settings)
}

export async function appVerifier(settings: ModelSettings | null, parts: Parts): Promise<Verifier> {
  const { places, store, clock, secret, secrets, onPause, onFault, purses, taskPurses } = parts
  const { look, reading, steps, vision } = parts
  const of = (stream: string): Promise<Forge> => places.of(stream)
  const pages = pagesSeen({ of, store, look })
  const evidence: Evidence = {
    change: async (attempt, stream) => (await of(stream)).change(attempt),
    snapshot: async (attempt, files, stream) => (await of(stream)).snapshot(attempt, files),
    declaredModels: async ({ pull }, stream) => (await of(stream)).declaredModels(pull),
    pages,
    past: (_attempt, stream) => store.read(stream),
  }
  const verifier = builtInVerifier(
    {
      model: settings === null ? null : await modelOf(settings),
      evidence,
      clock,
      keyed: (text) => createHmac('sha256', `fences ${secret}`).update(text).digest('hex'),
      nonce: randomUUID,
      chance: Math.random,
      pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    },
    {
      login: async (stream) => (await of(stream)).self,
      secrets,
      steps,
      onPause,
      onFault,
      taskPurses,
      ...(purses === null ? {} : { purse: async (stream) => purses(await payerOf(places, stream)) }),
      reading: (stream) => reading(repositoryIn(stream)),
    },
  )
  return vision === null ? verifier : viewedBy(verifier, { vision, pages, clock })
}

type Viewing = {
  readonly vision: VisionJudge
  readonly pages: NonNullable<Evidence['pages']>
  readonly clock: Clock
}

function viewedBy(verifier: Verifier, { vision, pages, clock }: Viewing): Verifier {
  const view = async (attempt: Attempt, stream: string): Promise<GateAnswer> => {
    const began = Date.parse(clock.now())
    const seen = await pages(attempt, stream)
    const answer = seen.kind === 'gone' ? referred(seen.why) : await vision({ attempt, pages: seen.pages })
    return { ...answer, elapsed_ms: Math.max(0, Date.parse(clock.now()) - began) }
  }
  return {
    ...verifier,
    judgeGate: (attempt, gate, session_id, stream) =>
      gate === 'vision' ? view(attempt, stream) : verifier.judgeGate(attempt, gate, session_id, stream),
  }
}

const referred = (summary: string) => ({ verdict: 'REFER', summary }) as const

/** The installation that lets us in, which is known once its repository was reached. */
async function payerOf(places: Repositories, stream: string): Promise<string> {
  await places.of(stream)
  return places.tenantOf(repositoryIn(stream))
}

/** For the engine: whoever asks is not kept waiting. Without a model the answer is there at once, but for one about pictures. */
export function askedLater(
  verifier: Verifier,
  inbox: () => Promise<Inbox>,
  onError: (error: unknown) => void,
): Verifier {
  const isSlow = (gate: GateName): boolean => verifier.available || gate === 'vision'
  return {
    ...verifier,
    verify: async (attempt, session_id, stream) => {
      if (!verifier.available) return verifier.verify(attempt, session_id, stream)
      const { id: attempt_id } = attempt
      await (await inbox()).later(attempt_id, { stream, attempt_id, session_id } satisfies Session)
      return null
    },
    judgeGate: async (attempt, gate, session_id, stream) => {
      if (!isSlow(gate)) return verifier.judgeGate(attempt, gate, session_id, stream)
      const { id: attempt_id } = attempt
      const asked = { stream, attempt_id, session_id, gate } satisfies Session
      await (await inbox()).later(gateKey(attempt_id, gate), asked)
      return null
    },
    abort: (attemptId) => {
      verifier.abort?.(attemptId)
      forgotten(inbox, [attemptId, ...gateNames.map((gate) => gateKey(attemptId, gate))]).catch(onError)
    },
  }
}

async function forgotten(inbox: () => Promise<Inbox>, keys: readonly string[]): Promise<void> {
  const opened = await inbox()
  for (const key of keys) await opened.cancel(key)
}

/** The slow part, on its own queue. Null when nobody waits for it any more. */
export async function answerOf(
  engine: Engine,
  verifier: Verifier,
  payload: unknown,
  signal: AbortSignal,
): Promise<Arrival | null> {
  const asked = session.parse(payload)
  const attempt = await waitingFor(engine, asked)
  if (attempt === null) return null
  const stop = (): void => verifier.abort?.(attempt.id)
  signal.addEventListener('abort', stop)
  try {
    const answer = await slowAnswer(verifier, attempt, asked)
    if (answer === null) return null
    const repository = repositoryIn(asked.stream)
    return {
      guid: `answer-${asked.session_id}`,
      key: `${repository}#${attempt.pull}`,
      body: { event: answerEvent, payload: { session: asked, answer } },
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function slowAnswer(
  verifier: Verifier,
  attempt: Attempt,
  { gate, session_id, stream }: Session,
): Promise<SlowAnswer | null> {
  if (gate === undefined) return verifier.verify(attempt, session_id, stream)
  const answer = await verifier.judgeGate(attempt, gate, session_id, stream)
  return answer === null ? null : { type: 'report_gate', gate, run: session_id, ...answer }
}
