// What an App does in its rounds over everything, in this process and without the rest of it, so that one round can follow
// the other at once.
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { aside, inLine } from '../../../src/adapters/aside/aside.ts'
import { githubLimits, type Limits } from '../../../src/adapters/github/traffic/allowances.ts'
import { githubTraffic, joinTraffic } from '../../../src/adapters/github/traffic/client.ts'
import { engineOver, type TaskRef } from '../../../src/engine/engine.ts'
import { settle } from '../../../src/engine/settle.ts'
import { clientsOf } from '../../../src/entry/app/clients.ts'
import { appJobs } from '../../../src/entry/app/jobs.ts'
import { repositories } from '../../../src/entry/app/repositories.ts'
import { missedDeliveries } from '../../../src/entry/app/rounds/missed-deliveries.ts'
import { rounds } from '../../../src/entry/app/rounds/rounds.ts'
import { withTier1 } from '../../../src/entry/app/tier1.ts'
import { countedTrouble } from '../../../src/entry/app/watched/trouble.ts'
import type { Store } from '../../../src/ports.ts'
import { fakeTime } from '../../adapters/fake-time.ts'
import type { GitHub } from '../../github/github.ts'
import { quiet } from '../../github/setting.ts'

export function roundsOn(github: Pick<GitHub, 'app' | 'url'>, store: Store, limits: Limits = githubLimits) {
  const time = fakeTime()
  const began = time.now()
  const [seenSince, lookedAt] = [new Map<string, string>(), new Map<string, string>()]
  const traffic = githubTraffic({ time, limits })
  const Client = Octokit.plugin((octokit, options) => joinTraffic(traffic, octokit, options))
  const { id: appId, privateKey } = github.app
  const client = async (installation?: number) => {
    const auth = { appId, privateKey, ...(installation === undefined ? {} : { installationId: installation }) }
    return new Client({ baseUrl: github.url, authStrategy: createAppAuth, auth, log: quiet })
  }
  const clients = clientsOf({ auth: client })
  const clock = { now: () => new Date(Date.now() + time.now() - began).toISOString() }
  const places = repositories(clients, Date.now, withTier1(inLine('tier1', appJobs.tier1)))
  const asked: TaskRef[] = []
  const nobody = async () => Promise.reject(new Error('There is no verifier'))
  let ids = 0
  const engine = engineOver(
    {
      store,
      forges: places,
      verifier: { available: false, verify: nobody, judgeGate: nobody },
      clock,
      ids: { next: () => `id-${(ids += 1)}` },
      aside: aside(inLine),
    },
    { alone: true, again: (ref) => void asked.push(ref) },
  )
  const sights = {
    added: async () => undefined,
    // What is listed first is there from the beginning of its installation, what comes later since it came.
    since: async (
      { listed }: { readonly listed: readonly { repository: string; installed_at: string }[] },
      now: string,
    ) => {
      const isFirst = seenSince.size === 0
      for (const { repository, installed_at } of listed)
        if (!seenSince.has(repository)) seenSince.set(repository, isFirst ? installed_at : now)
      return new Map(
        listed.map(({ repository, installed_at }) => {
          const since = seenSince.get(repository) ?? installed_at
          return [repository, { since, looked: lookedAt.get(repository) ?? since }]
        }),
      )
    },
    looked: async (these: readonly { repository: string }[], at: string) => {
      for (const { repository } of these) lookedAt.set(repository, at)
    },
  }
  const errors: unknown[] = []
  const all = rounds({
    engine,
    clients,
    places,
    sights,
    clock,
    trouble: countedTrouble(),
    onMissed: () => undefined,
    missed: missedDeliveries('', { now: () => 0, onMissed: () => undefined, onTaken: async () => {} }),
    since: '',
    onError: (error) => errors.push(error),
    pause: () => time.advance(61_000),
  })
  const round = async (): Promise<void> => {
    await all.round()
    // What a moment later is settled again.
    for (const ref of asked.splice(0)) await settle(engine, ref)
  }
  return { round, deliveries: all.deliveries, errors, time }
}
