// What the processes that judge mutants are told and answer.
import { z } from 'zod'
import { ground } from './ground.ts'

/** `alone`: the one mutant that is there from the start, for code that runs once, when it is loaded. */
export const order = ground.extend({ alone: z.number().nullable(), left_out: z.array(z.string()) })
export type Order = z.output<typeof order>

export const readiness = z.object({ ready: z.number(), left_out: z.array(z.string()) })
export const outcome = z.object({ id: z.number(), outcome: z.enum(['killed', 'survived']), by: z.string().nullable() })
/** No test failed, but loading these files reaches the mutant, so it must be judged alone. */
export const loaded = z.object({ id: z.number(), loaded_by: z.array(z.string()) })
/** The next test begins: whoever waits for the outcome knows that this mutant has not stopped everything. */
export const beat = z.strictObject({ next_test: z.string() })
/** What is kept of one that was judged, under the name that `mutate.ts` gives it. */
export const remembered = outcome.omit({ id: true }).extend({ name: z.string() })

export type Outcome = z.output<typeof outcome>
export type Answer = z.output<typeof readiness> | z.output<typeof loaded> | z.output<typeof beat> | Outcome
