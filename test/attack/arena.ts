// The real App as a process on a GitHub of its own, where cases are played one after the other, each in a repository of its
// own. Every passing conclusion that the App writes is seen at once, and its pulse is felt all the time.
import { z } from 'zod'
import { CLOSELY_MS, runningApp, until, type Running } from '../app/lab/running.ts'
import { aShop, type Shop } from '../app/lab/shop.ts'
import type { Exchange } from '../github/wire/server.ts'
import { Missed, type Case, type Scene } from './case.ts'
import { feelPulse, type Pulse } from './pulse.ts'

export type Outcome = 'held' | 'green' | 'stopped' | 'missed' | 'broken'
export type Verdict = { readonly outcome: Outcome; readonly why: string }
type Green = { readonly repo: string; readonly sha: string; readonly check: string }
/** A check that must not pass, and how many greens had been written when that was said. */
type Forbidden = Green & { readonly since: number }

const stoppedMsMax = 2_000
const waitMsMax = 60_000
/** How long nothing may move while something waits. */
const stillMsMax = 8_000
/** What the rules of a branch take for a pass. */
const passing: readonly (string | null)[] = ['success', 'neutral', 'skipped']
const written = z.object({ name: z.string(), head_sha: z.string(), conclusion: z.string().nullable() })

/** Nothing else can be played on an App that is still busy with what was. */
class Restless extends Error {}

export type Arena = Awaited<ReturnType<typeof anArena>>

export async function anArena() {
  const greens: Green[] = []
  const app = await runningApp({ observe: (exchange) => greens.push(...greensIn(exchange)) })
  const pulse = feelPulse(app.url)
  let fit = true
  return {
    /** Whether the next case may be played here: an App that stopped or has not come to rest is no fair judge. */
    fit: (): boolean => fit,
    play: async ({ play, patient = false }: Case): Promise<Verdict> => {
      pulse.of(app.pid())
      pulse.reset()
      const forbidden: Forbidden[] = []
      const shops: Shop[] = []
      const trouble = await outcomeOf(async () => {
        await play(sceneOf(app, pulse, { forbidden, shops, greens }))
        await settled(app, pulse)
      })
      const stopped = stopOf(app, pulse)
      app.github.clearFaults()
      app.github.setDeliveries({ hold: false, doubledPercent: 0, shuffleWithin: 1, concurrency: 1, lostPercent: 0 })
      fit = stopped === null && trouble?.restless !== true
      const green = forbidden.find((one) => isGreen(app, greens, one))
      if (stopped !== null) return stopped
      if (green !== undefined) return { outcome: 'green', why: `${green.check} passed on ${green.sha.slice(0, 7)}` }
      const forgiven = patient && trouble?.restless === true
      return trouble === null || forgiven
        ? { outcome: 'held', why: '' }
        : { outcome: trouble.outcome, why: trouble.why }
    },
    stop: async (): Promise<void> => {
      await pulse.stop()
      await app.kill()
      await app.stop()
    },
  }
}

function greensIn({ method, path, status, answer }: Exchange): readonly Green[] {
  const repo = /^\/repos\/([^/]+\/[^/]+)\/check-runs(\/\d+)?$/.exec(path)?.[1]
  const run = repo !== undefined && method !== 'GET' && status < 300 ? written.safeParse(answer).data : undefined
  if (repo === undefined || run === undefined || !passing.includes(run.conclusion)) return []
  return [{ repo, sha: run.head_sha, check: run.name }]
}

function sceneOf(
  app: Running,
  pulse: Pulse,
  seen: { readonly forbidden: Forbidden[]; readonly shops: Shop[]; readonly greens: readonly Green[] },
): Scene {
  const calm = { ...app, idle: () => settled(app, pulse) }
  return {
    app: calm,
    github: app.github,
    shop: async (policy, files) => {
      const shop = await aShop(calm, policy, files)
      seen.shops.push(shop)
      return shop
    },
    never: ({ name }, sha, check = 'countersign') => {
      seen.forbidden.push({ repo: name, sha, check, since: seen.greens.length })
    },
    given: (holds, words) => {
      if (!holds) throw new Error(`it is not given that ${words}`)
    },
    must: (holds, words) => {
      if (!holds) throw new Missed(`it is not so that ${words}`)
    },
    settled: calm.idle,
  }
}

/**
 * Waits until every webhook was answered and the App has nothing left to do, which is so when it is so for a while. One that stopped
 * is not waited for, and neither is one where nothing moves any more although something waits: it tries again for ever.
 */
async function settled(app: Running, pulse: Pulse): Promise<void> {
  pulse.of(app.pid())
  let quiet = 0
  let seen = -1
  let since = performance.now()
  await until(
    async () => {
      if (stopOf(app, pulse) !== null) throw new Restless('the App stopped')
      await app.github.idle()
      const { waiting, active, soon } = await toDo(app)
      // What a round of the App finds by itself never stands in line.
      const asks = app.github.requests.length !== seen
      quiet = waiting + active + soon === 0 && !asks ? quiet + 1 : 0
      const moves = active > 0 || asks
      if (moves) since = performance.now()
      seen = app.github.requests.length
      if (performance.now() - since > stillMsMax) throw new Restless('the App does not come to rest')
      return quiet >= 6
    },
    waitMsMax,
    CLOSELY_MS,
  ).catch((error: unknown) => {
    throw error instanceof Restless ? error : new Restless('the App is busy without end', { cause: error })
  })
}

const health = z.object({ inbox: z.object({ waiting: z.number(), active: z.number() }), soon: z.number() })

/** What stands in line, and what is shown within a moment. While the App is blocked it does not answer: that is for the pulse to say. */
async function toDo({ url }: Running): Promise<{ waiting: number; active: number; soon: number }> {
  const answer = await fetch(`${url}/health`).catch(() => null)
  if (answer === null) return { waiting: 1, active: 1, soon: 0 }
  const { inbox, soon } = health.parse(await answer.json())
  return { ...inbox, soon }
}

function stopOf(app: Running, pulse: Pulse): Verdict | null {
  if (app.pid() === null) return { outcome: 'stopped', why: 'the process died' }
  const ms = pulse.longestMs()
  if (ms > stoppedMsMax) return { outcome: 'stopped', why: `it did not answer for ${Math.round(ms)} ms` }
  return null
}

async function outcomeOf(work: () => Promise<void>): Promise<(Verdict & { readonly restless: boolean }) | null> {
  try {
    await work()
    return null
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const restless = error instanceof Restless
    return { outcome: restless || error instanceof Missed ? 'missed' : 'broken', why, restless }
  }
}

function isGreen({ github }: Running, greens: readonly Green[], { repo, sha, check, since }: Forbidden): boolean {
  const was = greens.slice(since).some((one) => one.repo === repo && one.sha === sha && one.check === check)
  const { runs } = github.checksOn(repo, sha)
  return (
    was || runs.some((run) => run.app === github.app.slug && run.name === check && passing.includes(run.conclusion))
  )
}
