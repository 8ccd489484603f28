// The two ways as they usually are. Each entry is a part of the verifier that exists nowhere else: without it, what it is
// named for does not happen.
import { assumptionIn } from '../../../verifier/change/authority.ts'
import type { Examined } from '../../../core/decision/examined.ts'
import type { Attempt } from '../../../core/decision/model.ts'
import { approvalGate, classification, costRecording, policyGate } from './calls.ts'
import { semanticDrift } from './drift.ts'
import {
  authorityDeference,
  checkpointResume,
  delegationChainHash,
  sanitizeMessage,
  securityInterceptor,
} from './found.ts'
import type { Steps, VerifierStep } from './step.ts'
import {
  authorityDeferenceCoordination,
  clarificationGate,
  coordinationReplan,
  planReviewGate,
  progressLedger,
  taskLedger,
} from './task.ts'

/** A yes that rests on what nobody saw is known as one. */
const assumptionViolation: VerifierStep = {
  name: 'assumption_violation',
  afterModel: ({ answers, rests_on }) => ({ answers, rests_on: rests_on ?? assumptionIn(answers) }),
}

export const usualSteps: Steps = {
  verifier: [
    checkpointResume,
    delegationChainHash,
    authorityDeference,
    sanitizeMessage,
    securityInterceptor,
    policyGate,
    approvalGate,
    assumptionViolation,
    classification,
    costRecording,
  ],
  coordination: [
    clarificationGate,
    taskLedger,
    planReviewGate,
    progressLedger,
    coordinationReplan,
    authorityDeferenceCoordination,
  ],
}

/** What a policy, or a task in its place, adds by name. */
const optional: ReadonlyMap<string, VerifierStep> = new Map([[semanticDrift.name, semanticDrift]])

export function stepsFor({ contract }: Attempt, steps: Steps): Steps {
  const named = contract.middleware_override ?? contract.policy.middleware.verifier
  return { ...steps, verifier: [...steps.verifier, ...named.flatMap((name) => optional.get(name) ?? [])] }
}

/** The usual steps and more: what stands there by default cannot be left out. */
export const withMore = ({ verifier = [], coordination = [] }: Partial<Steps>): Steps => ({
  verifier: [...usualSteps.verifier, ...verifier],
  coordination: [...usualSteps.coordination, ...coordination],
})

/** How a way differs from the usual one; null where it does not. */
export function otherThanUsual(steps: Steps): NonNullable<Examined['steps']> | null {
  const usual = namesOf(usualSteps)
  const names = namesOf(steps)
  const added = names.filter((name) => !usual.includes(name))
  const left_out = usual.filter((name) => !names.includes(name))
  return added.length + left_out.length === 0 ? null : { added, left_out }
}

const namesOf = ({ verifier, coordination }: Steps): string[] => [...verifier, ...coordination].map(({ name }) => name)
