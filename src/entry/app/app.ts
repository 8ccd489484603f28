// The App, put together: database, inbox, GitHub, engine and the door. Nothing else joins these.
import { aside, inThreads, type Way } from '../../adapters/aside/aside.ts'
import { threadPool } from '../../adapters/aside/pool.ts'
import type { GitHubClient } from '../../adapters/github/access.ts'
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { Probot } from 'probot'
import { z } from 'zod'
import { countersignOctokit } from '../../adapters/github/traffic/app-octokit.ts'
import { githubTraffic } from '../../adapters/github/traffic/client.ts'
import { repositoriesAdded } from '../../adapters/github/added.ts'
import { heard, lineOf } from '../../adapters/github/payloads.ts'
import { openInbox } from '../../adapters/inbox/inbox.ts'
import { redacting } from '../../core/words/redact.ts'
import { engineOver, type Engine } from '../../engine/engine.ts'
import { discreet, redacted } from '../../engine/redaction.ts'
import type { OnPause } from '../../engine/verify/breakers.ts'
import type { Reading } from '../../engine/verify/reading.ts'
import type { WorkflowReading } from '../../adapters/github/results/workflow-file.ts'
import type { Clock, Forge, Verifier } from '../../ports.ts'
import type { Credentials, Settings } from '../wire.ts'
import { openDatabase } from './database.ts'
import { handle } from './handle.ts'
import { appJobs } from './jobs.ts'
import { watchedLoop } from './loop.ts'
import { metricsText } from './metrics.ts'
import { operationsOver } from '../operations.ts'
import { listening } from './guarded.ts'
import { introduce } from './introduction.ts'
import { repositories, type Repositories } from './repositories.ts'
import { startRounds } from './rounds.ts'
import { appServer } from './server.ts'
import { sealsOf } from './signature.ts'
import { openSocket } from './socket.ts'
import { withTier1 } from './tier1.ts'
import { countedTrouble } from './trouble.ts'
import { answerOf, appVerifier, askedLater } from './verifying.ts'

export type App = { readonly url: string; readonly stop: () => Promise<void> }

const CLOSE_MS_MAX = 2_000

const clock: Clock = { now: () => new Date().toISOString() }
const webhookBody = z.object({ event: z.string(), payload: z.unknown() })

/** Whoever runs the App from a program of their own may bring a verifier of their own. */
type Own = { readonly verifier?: Verifier }

export async function startApp(settings: Settings, credentials: Credentials, own: Own = {}): Promise<App> {
  const { appId, privateKey, webhookSecret: secret } = credentials
  const { apiUrl: baseUrl, logLevel } = settings
  const traffic = githubTraffic()
  const Client = countersignOctokit(traffic)
  const probot = new Probot({ appId, privateKey, secret, baseUrl, logLevel, logFormat: 'json', Octokit: Client })
  await probot.ready()
  const { log } = probot
  await introduce(async () => (await probot.auth()).request('GET /app'), { appId, apiUrl: baseUrl }, log)
  const database = await openDatabase(settings.databaseUrl, settings.dataDir)

  const onError = (error: unknown): void =>
    log.error({ err: error }, error instanceof Error ? error.message : 'trouble')

  const clients = clientsOf(probot)
  const trouble = countedTrouble()
  const pool = threadPool(new URL('./reading-thread.js', import.meta.url))
  const way = inThreads(pool)
  const secrets = [secret, privateKey, ...(settings.model === null ? [] : [settings.model.apiKey])]
  const hide = redacting(secrets)
  const decorated = withTier1(way('tier1', appJobs.tier1))
  const places: Repositories = repositories(
    clients,
    () => Date.now(),
    (...own) => discreet(decorated(...own), hide),
    {
      onRefused: (what, error) => {
        trouble.count('refused')
        log.warn({ err: error }, `GitHub refuses ${what}`)
      },
      onDoubt: (repository, sha) => engine.doubts.note({ repository, sha }),
    },
    workflowReadingBy(way),
  )
  const onPause: OnPause = (model, until) =>
    log.warn({ model, until }, 'the model failed too often in a row and is not asked for a while')
  const verifier =
    own.verifier ??
    (await appVerifier(settings.model, {
      places,
      store: database.store,
      clock,
      secret,
      secrets,
      onPause,
      reading: readingBy(byTenant(way, places)),
    }))
  const engine: Engine<Forge> = engineOver(
    {
      store: database.store,
      forges: places,
      verifier: askedLater(verifier, () => opening, onError),
      clock,
      ids: { next: randomUUID },
      aside: aside(byTenant(way, places)),
    },
    {
      ...database.company,
      secrets,
      onFault: (error, stream) => {
        trouble.count('faults')
        log.error({ err: error, stream }, 'a fault of ours; the attempt waits for a human')
      },
    },
  )
  const opening = openInbox(
    database.inbox,
    {
      deliveries: async (line, deliveries) => {
        const arrived = deliveries.map(({ guid, body }) => ({ guid, webhook: { guid, ...webhookBody.parse(body) } }))
        log.debug({ line, deliveries: arrived.map(({ guid }) => guid) }, 'handling')
        await handle(engine, places, arrived, appId)
      },
      ask: (_key, payload, signal) => answerOf(engine, verifier, payload, signal),
    },
    { clock, onError },
  )
  const inbox = await opening
  const server = appServer({
    seals: sealsOf(secret),
    receive: async ({ event, guid, payload }) => {
      const added = repositoriesAdded({ event, payload })
      if (added.length > 0) {
        await database.sights.added(added, clock.now())
        return 'stored'
      }
      const news = heard({ event, guid, payload }, appId)
      if (news === null) return 'ignored'
      const body = { event, payload: redacted(news.essence, hide) }
      await inbox.ingest({ guid, key: lineOf({ guid, ...body }), body })
      return 'stored'
    },
    health: () =>
      inbox.status().then(
        (status) => ({ ok: true, details: { status: 'ok', inbox: status } }),
        (error: unknown) => {
          onError(error)
          return { ok: false, details: { status: 'the database does not answer' } }
        },
      ),
    metrics: async () =>
      metricsText(await inbox.status(), {
        loop: loop.figures(),
        reading: pool.stats(),
        pacing: traffic.pacing,
        trouble,
      }),
    onError,
  })
  const socket =
    settings.databaseUrl === null
      ? await openSocket(settings.dataDir, operationsOver(database.store, inbox), onError)
      : null
  const loop = watchedLoop()
  const url = await listening(server, settings.host, settings.port)
  log.info({ url }, 'listening')

  const { sights } = database
  const rounds = startRounds({ engine, clients, places, sights, clock, trouble, onError })
  return {
    url,
    stop: async () => {
      log.info('stopping')
      loop.stop()
      rounds.stop()
      await Promise.all([closed(server), socket?.stop()])
      await inbox.stop()
      await pool.stop()
      await database.close()
      log.info('stopped')
    },
  }
}

/** A repository is known by its key, and its installation is who pays. */
const byTenant =
  (way: Way, { tenantOf }: Pick<Repositories, 'tenantOf'>): Way =>
  (name, job) => {
    const read = way(name, job)
    return (input, key) => read(input, tenantOf(key))
  }

/** Workflows of a branch, and what they call, by whose installation it is. */
function workflowReadingBy(way: Way): (tenant: string) => WorkflowReading {
  const [jobs, manifest] = [way('workflowJobs', appJobs.workflowJobs), way('manifest', appJobs.manifest)]
  return (tenant) => ({ jobs: (text) => jobs(text, tenant), manifest: (text) => manifest(text, tenant) })
}

/** What the verifier reads, by the key of the repository that it concerns. */
function readingBy(way: Way): (key: string) => Reading {
  const [change, answer] = [way('change', appJobs.change), way('answer', appJobs.answer)]
  return (key) => ({ change: (question) => change(question, key), answer: (question) => answer(question, key) })
}

/** What is being received may end; who never finishes is not waited for. */
async function closed(server: Server): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX)
  await new Promise<void>((done) => server.close(() => done()))
  clearTimeout(impatient)
}

function clientsOf(probot: Probot): {
  app: () => Promise<GitHubClient>
  installation: (id: number) => Promise<GitHubClient>
} {
  const byInstallation = new Map<number, Promise<GitHubClient>>()
  return {
    app: () => probot.auth(),
    installation: (id) => {
      const known = byInstallation.get(id)
      if (known !== undefined) return known
      const client = probot.auth(id)
      byInstallation.set(id, client)
      client.catch(() => byInstallation.delete(id))
      return client
    },
  }
}
