// Check runs of one installation when there are many at once: a branch turns red, and three hundred pull requests with it.
// Over REST GitHub takes 180 of them a minute. Over GraphQL a request that writes twenty costs what one with a single
// write does, so in a rush they go out together. What cannot go that way, or is refused there, is written over REST.
// https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
import { z } from 'zod'
import type { GitHubClient } from '../access.ts'
import { aSwitch } from '../switch.ts'
import { GATE_MUTATION } from '../traffic/allowances.ts'
import { changeTogether, type Part } from './together.ts'

/** In GraphQL's names and kinds; `checkRunId` where it stands already. */
export type RunInput = Readonly<Record<string, unknown>> & { readonly repositoryId: string }
export type RunWritten = { readonly id: number; readonly node: string }
/** Null where it is to be written over REST. The input is made only if it is needed, and is null where an id is not known. */
export type Rush = (input: () => RunInput | null) => Promise<RunWritten | null>

type Waiting = {
  readonly input: RunInput
  readonly done: (written: RunWritten | null) => void
  readonly failed: (error: unknown) => void
}

/** Within a minute so many are each written at once, which is far from where GitHub stops us. */
export const ALONE_MAX = 90
const MINUTE_MS = 60_000
/** GitHub ends a request after ten seconds. */
const TOGETHER_MAX = 20
const LANES_MAX = 3
const OFF_MS = 10 * 60_000

export function rushOf(octokit: GitHubClient, now: () => number): Rush {
  const times: number[] = []
  const waiting: Waiting[] = []
  const refused = aSwitch(now, OFF_MS)
  let lanes = 0
  const lane = async (): Promise<void> => {
    lanes += 1
    for (let some = waiting.splice(0, TOGETHER_MAX); some.length > 0; some = waiting.splice(0, TOGETHER_MAX)) {
      try {
        const written = await writtenTogether(octokit, some)
        if (written.every((one) => one === null)) refused.switchOff()
        for (const [index, { done }] of some.entries()) done(written[index] ?? null)
      } catch (error) {
        for (const { failed } of some) failed(error)
      }
    }
    lanes -= 1
  }
  return async (make) => {
    const at = now()
    while (times[0] !== undefined && times[0] <= at - MINUTE_MS) times.shift()
    times.push(at)
    if (times.length <= ALONE_MAX || refused.isOff()) return null
    const input = make()
    if (input === null) return null
    return new Promise((done, failed) => {
      waiting.push({ input, done, failed })
      // What comes in the same breath goes out together.
      if (lanes < LANES_MAX) queueMicrotask(() => lanes < LANES_MAX && void lane())
    })
  }
}

async function writtenTogether(
  octokit: GitHubClient,
  some: readonly Waiting[],
): Promise<readonly (RunWritten | null)[]> {
  const answers = await changeTogether(
    octokit,
    some.map(({ input }, index) => partOf(input, `run${index}`)),
    GATE_MUTATION,
  )
  return some.map((_, index) => writtenShape.safeParse(answers.get(`run${index}`)).data ?? null)
}

export function partOf(input: RunInput, name: string): Part {
  const [mutation, type] =
    'checkRunId' in input ? ['updateCheckRun', 'UpdateCheckRunInput!'] : ['createCheckRun', 'CreateCheckRunInput!']
  return {
    name,
    field: `${mutation}(input: $${name}) { checkRun { id databaseId } }`,
    variables: { [name]: { type, value: input } },
  }
}

const writtenShape = z
  .object({ checkRun: z.object({ id: z.string(), databaseId: z.number() }) })
  .transform(({ checkRun }): RunWritten => ({ id: checkRun.databaseId, node: checkRun.id }))
