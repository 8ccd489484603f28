// What a tool is: what it takes and gives, by schemas that are told to whoever calls, and what it does with the hands that
// whoever serves it has.
import type { z } from 'zod'
import type { ReadAttempt, ReadDocument } from '../attempts/read-attempt.ts'
import type { Speaking } from './speaking.ts'

export type Hands = {
  readonly read: ReadAttempt
  readonly document: ReadDocument
  readonly speaking: () => Promise<Speaking>
  /** Only where there is a checkout. */
  readonly check:
    | ((
        folder: string,
        base: string | null,
        commands: boolean,
      ) => Promise<{ readonly passed: boolean; readonly text: string }>)
    | null
  readonly pause: (ms: number) => Promise<unknown>
  readonly now: () => number
}
export type Call = { readonly hands: Hands; readonly progress: (words: string) => Promise<void> }
/** `text` for who reads, `structured` for who computes; it is as the schema of its output says. */
export type Answered<Structured> = { readonly text: string; readonly structured: Structured }
export type Tool = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** It changes nothing. */
  readonly reads: boolean
  readonly needsCheckout: boolean
  readonly run: (input: unknown, call: Call) => Promise<Answered<Readonly<Record<string, unknown>>>>
}

/** A row with its types; whoever serves it hands over what nobody has looked at yet. */
export function row<Input extends z.ZodObject, Output extends z.ZodObject>(
  given: Pick<Tool, 'name' | 'description' | 'reads'> & {
    readonly input: Input
    readonly output: Output
    readonly needsCheckout?: boolean
    readonly run: (input: z.output<Input>, call: Call) => Promise<Answered<z.input<Output>>>
  },
): Tool {
  const { input, output, run, needsCheckout = false } = given
  return {
    ...given,
    needsCheckout,
    run: async (raw, call) => {
      const { text, structured } = await run(input.parse(raw), call)
      return { text, structured: output.parse(structured) }
    },
  }
}

/** Where there is nothing to read but the facts themselves. */
export const asJson = <Structured extends object>(structured: Structured): Answered<Structured> => ({
  text: JSON.stringify(structured, null, 1),
  structured,
})
