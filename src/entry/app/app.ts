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
import { isHeard } from '../../adapters/github/heard-keys.ts'
import { lineOf } from '../../adapters/github/delivery-line.ts'
import { heard, type Heard } from '../../adapters/github/payloads.ts'
import { openInbox, type Delivery } from '../../adapters/inbox/inbox.ts'
import { redacting } from '../../core/words/redact.ts'
import { engineOver, type Engine } from '../../engine/engine.ts'
import { discreet, redacted } from '../../engine/redaction.ts'
import type { OnPause } from '../../engine/verify/breakers.ts'
import type { Reading } from '../../engine/verify/reading.ts'
import type { WorkflowReading } from '../../adapters/github/results/workflow-file.ts'
import type { Clock, Forge, Verifier } from '../../ports.ts'
import type { Credentials, Settings } from '../wire.ts'
import { settle } from '../../engine/settle.ts'
import { tryingAgain } from './again.ts'
import { openDatabase, type Database } from './database.ts'
import { missedDeliveries } from './deliveries.ts'
import { appEars } from './ears.ts'
import { givenUp, handle, type Arrived } from './handle.ts'
import { appJobs } from './jobs.ts'
import { watchedLoop } from './loop.ts'
import { metricsText } from './metrics.ts'
import { operationsOver } from '../operations.ts'
import { listening } from './guarded.ts'
import { introduce } from './introduction.ts'
import { repositories, type Repositories } from './repositories.ts'
import { startRounds } from './rounds.ts'
import { appServer } from './server.ts'
import { steadyClock } from './steady-clock.ts'
import { sealsOf } from './signature.ts'
import { outagesOf } from './outages.ts'
import { courteous } from './talk.ts'
import { openSocket } from './socket.ts'
import { withTier1 } from './tier1.ts'
import { countedTrouble } from './trouble.ts'
import { answerOf, appVerifier, askedLater } from './verifying.ts'

export type App = { readonly url: string; readonly stop: () => Promise<void> }

const CLOSE_MS_MAX = 2_000

const webhookBody = z.object({ event: z.string(), payload: z.unknown() })

/** Whoever runs the App from a program of their own may bring a verifier of their own. */
type Own = { readonly verifier?: Verifier }

export async function startApp(settings: Settings, credentials: Credentials, own: Own = {}): Promise<App> {
  const { appId, privateKey, webhookSecret: secret } = credentials
  const { apiUrl: baseUrl, logLevel } = settings
  const clock = steadyClock()
  const traffic = githubTraffic({ time: clock.time, onDate: clock.heed })
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
  const readWebhook = way('webhook', appJobs.webhook)
  const secrets = [secret, privateKey, ...(settings.model === null ? [] : [settings.model.apiKey])]
  const hide = redacting(secrets)
  const decorated = withTier1(way('tier1', appJobs.tier1))
  const places: Repositories = repositories(
    clients,
    clock.ms,
    (...own) => discreet(decorated(...own), hide),
    (what, error) => {
      trouble.count('refused')
      log.warn({ err: error }, `GitHub refuses ${what}`)
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
  const began = clock.now()
  const listenedLast = await database.presence.last()
  const ears = appEars({
    places,
    waiting: async (line) => (await opening).waiting(line),
    take: (webhook) => put(webhook.event, webhook.guid, heard(webhook, appId)),
    newsIn: (webhook) => heard(webhook, appId)?.understood.news ?? null,
    isHeard,
    since: listenedLast,
  })
  const put = async (event: string, guid: string, told: Heard | null): Promise<'stored' | 'ignored'> => {
    if (told === null) return 'ignored'
    const body = { event, payload: redacted(told.essence, hide) }
    await (await opening).ingest({ guid, key: lineOf({ guid, ...body }), body })
    return 'stored'
  }
  const outages = outagesOf(clock.ms, (what, { installation, since, error }) =>
    what === 'began'
      ? log.warn({ installation, why: error }, 'GitHub does not answer; what is heard waits')
      : log.warn({ installation, since }, 'GitHub answers again'),
  )
  const later = tryingAgain((ref) => settle(engine, ref), clock.ms, onError)
  const engine: Engine<Forge> = engineOver(
    {
      store: database.store,
      forges: courteous(places, async (arrival) => (await opening).ingest(arrival)),
      verifier: askedLater(verifier, () => opening, onError),
      clock,
      ids: { next: randomUUID },
      aside: aside(byTenant(way, places)),
    },
    {
      ...database.company,
      secrets,
      ears,
      again: (ref, error) => {
        if (error !== undefined) {
          trouble.count('pages')
          log.warn({ err: error, task: ref.task_id }, 'a page could not be shown and is tried again')
        }
        later.again(ref, error)
      },
      onFault: (error, stream) => {
        trouble.count('faults')
        log.error({ err: error, stream }, 'a fault of ours; the attempt waits for a human')
      },
    },
  )
  const around = { ears, outages, ownApp: appId, now: clock.ms, began }
  const opening = openInbox(
    database.inbox,
    {
      deliveries: async (line, deliveries) => {
        log.debug({ line, deliveries: deliveries.map(({ guid }) => guid) }, 'handling')
        await handle({ engine, repositories: places, line, around }, deliveries.map(arrivedAs))
      },
      buried: (line, delivery, error) =>
        givenUp({ engine, repositories: places, line, around }, arrivedAs(delivery), error),
      ask: (_key, payload, signal) => answerOf(engine, verifier, payload, signal),
    },
    { clock, onError },
  )
  const inbox = await opening
  const server = appServer({
    seals: sealsOf(secret),
    receive: async ({ event, guid, body }) => {
      const read = await readWebhook({ event, guid, body, ownApp: appId }, 'webhooks')
      if (read === null) throw new Error(`The webhook ${guid} takes more time or memory to read than one may take`)
      if (read.kind === 'no json') return 'no json'
      if (read.added.length > 0) {
        await database.sights.added(read.added, clock.now())
        return 'stored'
      }
      const taken = await put(event, guid, read.heard)
      if (read.change !== null) ears.told(read.change)
      return taken
    },
    refused: () => ears.missed(clock.now()),
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
        skewSeconds: clock.skewSeconds(),
        outages: outages.list().length,
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

  const missed = missedDeliveries(listenedLast, clock.ms, ears.missed)
  const { sights } = database
  const rounds = startRounds({ engine, clients, places, sights, clock, trouble, missed, onError })
  const listeningStill = present(database.presence, clock, onError)
  return {
    url,
    stop: async () => {
      log.info('stopping')
      loop.stop()
      rounds.stop()
      later.stop()
      listeningStill.stop()
      await Promise.all([closed(server), socket?.stop()])
      await inbox.stop()
      await pool.stop()
      await database.close()
      log.info('stopped')
    },
  }
}

const arrivedAs = ({ guid, received_at, body }: Delivery): Arrived => ({
  guid,
  received_at,
  webhook: { guid, ...webhookBody.parse(body) },
})

const PRESENT_MS = 20_000

/** Whoever comes after us knows since when nobody listened. */
function present(
  { note }: Database['presence'],
  { now }: Clock,
  onError: (error: unknown) => void,
): { stop: () => void } {
  const mark = (): void => void note(now()).catch(onError)
  mark()
  const timer = setInterval(mark, PRESENT_MS)
  return { stop: () => clearInterval(timer) }
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
      const known = byInstallation.get(id) ?? probot.auth(id)
      byInstallation.set(id, known)
      return known
    },
  }
}
