// What follows from a step that throws. Nothing is swallowed: it is told once, and nobody has judged.
import { StepFault } from '../../../core/chain.ts'
import { faultOf } from '../../../core/error-words.ts'
import type { OnTheWay } from '../../../core/decision/record/on-the-way.ts'
import type { UnavailableReason } from '../../../core/decision/verdict.ts'
import { isOutage } from '../../outage.ts'
import { classification } from './calls.ts'

type Action = 'retry' | 'escalate' | 'fail'
type Row = { readonly action: Action; readonly when: (fault: StepFault) => boolean }

/** From top to bottom; the first row that holds decides. */
const rows: readonly Row[] = [
  // Whoever classifies faults and fails at it leaves nobody who could say what follows.
  { action: 'fail', when: ({ step }) => step === classification.name },
  // What the world did to it passes.
  { action: 'retry', when: ({ cause }) => isOutage(cause) },
  // Anything else somebody has to mend.
  { action: 'escalate', when: () => true },
]
const reasons = { retry: 'transient', escalate: 'config' } as const satisfies Record<string, UnavailableReason>

export type Classified = { readonly reason: UnavailableReason; readonly happened: readonly OnTheWay[] }

/** Null for what is no fault of a step, or is the program's own. */
export function classified(error: unknown): Classified | null {
  if (!(error instanceof StepFault)) return null
  const action = rows.find(({ when }) => when(error))?.action ?? 'fail'
  if (action === 'fail') return null
  const data = { step: error.step, action, what: faultOf(error.cause) }
  return { reason: reasons[action], happened: [{ type: 'StepFailed', data }] }
}
