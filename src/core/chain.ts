// Steps on a way, in their declared order: what comes before something goes from the first to the last, what comes after it
// from the last to the first, and of what is wrapped around it the first is outermost. Any step may end the way where it
// stands, and one that throws is named with what it threw.

/** What a step answers that ends the way there. */
export class Ended<E> {
  readonly as: E
  constructor(as: E) {
    this.as = as
  }
}
/** A step that threw, with what it threw as its cause. */
export class StepFault extends Error {
  override readonly name = 'StepFault'
  readonly step: string
  constructor(step: string, cause: unknown) {
    super(`The step ${step} failed`, { cause })
    this.step = step
  }
}

export type Named = { readonly name: string }
export type Pass<T, E = never> = (value: T) => Passed<T, E> | Promise<Passed<T, E>>
type Passed<T, E> = T | Ended<E>
type Work<I, O> = (input: I) => Promise<O>
export type Around<I, O> = (inner: Work<I, O>) => Work<I, O>

export async function forth<S extends Named, T, E = never>(
  steps: readonly S[],
  hook: (step: S) => Pass<T, E> | undefined,
  value: T,
): Promise<Passed<T, E>> {
  let now = value
  for (const step of steps) {
    const next = await named(step, () => hook(step)?.(now) ?? now)
    if (next instanceof Ended) return next
    now = next
  }
  return now
}

export const back = <S extends Named, T, E = never>(
  steps: readonly S[],
  hook: (step: S) => Pass<T, E> | undefined,
  value: T,
): Promise<Passed<T, E>> => forth(steps.toReversed(), hook, value)

/** Of hooks that end no way. */
export function whole<T>(value: Passed<T, never>): T {
  if (value instanceof Ended) throw new Error('a step ended what cannot be ended')
  return value
}

export const around = <S extends Named, I, O>(
  steps: readonly S[],
  hook: (step: S) => Around<I, O> | undefined,
  core: Work<I, O>,
): Work<I, O> =>
  steps.reduceRight((inner, step) => {
    const wrap = hook(step)
    return wrap === undefined ? inner : layer(step, wrap, inner)
  }, core)

/** What comes from within is no fault of the layer. */
function layer<I, O>(step: Named, wrap: Around<I, O>, inner: Work<I, O>): Work<I, O> {
  return async (input) => {
    let within: { readonly error: unknown } | null = null
    const noticed: Work<I, O> = async (given) => {
      try {
        return await inner(given)
      } catch (error) {
        within = { error }
        throw error
      }
    }
    try {
      return await wrap(noticed)(input)
    } catch (error) {
      throw isSame(within, error) ? error : new StepFault(step.name, error)
    }
  }
}

const isSame = (within: { readonly error: unknown } | null, error: unknown): boolean =>
  within !== null && within.error === error

async function named<T>(step: Named, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new StepFault(step.name, error)
  }
}
