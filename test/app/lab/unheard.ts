// A change that is under way, an App that is away from time to time, and who saw what meanwhile.
import { z } from 'zod'
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'

export type Change = { readonly shop: Shop; readonly sha: string; readonly number: number }

const told = z.object({
  check_run: z.object({ head_sha: z.string(), conclusion: z.string().nullable(), app: z.object({ slug: z.string() }) }),
  repository: z.object({ full_name: z.string() }),
})

/** Something happens, and no webhook that tells of it arrives, nor is the App told that there was one. */
export async function untold<T>({ setDeliveries, idle }: Running['github'], act: () => T): Promise<T> {
  setDeliveries({ lostPercent: 100, neverSent: true })
  const done = act()
  await idle()
  setDeliveries({ lostPercent: 0, neverSent: false })
  return done
}

export const changesIn = (app: Running) => {
  const { github } = app
  return {
    aChange: async (policy?: string): Promise<Change> => {
      const shop = await aShop(app, policy)
      const sha = await shop.push()
      return { shop, sha, number: await shop.open() }
    },
    /** Nobody brings what was told of it until it is brought again, when more has happened. */
    heardLate: async (event: string, act: () => unknown): Promise<() => Promise<void>> => {
      const before = new Set(github.deliveries().map(({ id }) => id))
      await untold(github, act)
      const lost = github.deliveries().find((one) => !before.has(one.id) && one.event === event)
      return async () => {
        github.redeliver(lost?.id ?? 0)
        await app.idle()
      }
    },
    /** While the App is away, so that no webhook tells of it; and GitHub brings none of them again. */
    whileAway: async (work: () => Promise<void> | void): Promise<void> => {
      await app.idle()
      await app.kill()
      await work()
      await github.idle()
      github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
      await app.start()
      await app.idle()
    },
    /** Whether our check of a commit was ever green, as GitHub told everybody who listens. Commits of two shops may be the same. */
    wasGreen: (sha: string, shop: string): boolean =>
      github
        .deliveries()
        .filter(({ event }) => event === 'check_run')
        .map(({ id }) => told.parse(github.payloadOf(id)))
        .some(
          ({ check_run: { head_sha, conclusion, app: by }, repository: { full_name } }) =>
            head_sha === sha && conclusion === 'success' && by.slug === github.app.slug && full_name === shop,
        ),
  }
}
