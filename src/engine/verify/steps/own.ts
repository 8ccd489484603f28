// For programs that bring steps of their own: where a step may stand, and how it ends the way there.
export { Ended } from '../../../core/chain.ts'
export type { CoordinationStep, Steps, VerifierStep } from './step.ts'
