// The App, put together: database, inbox, GitHub, engine and the door. Nothing else joins these.
import { aside, inThreads } from '../../adapters/aside/aside.ts'
import { lookingLimits, threadPool } from '../../adapters/aside/pool.ts'
import { githubReaders } from '../../adapters/github/people/readers.ts'
import { requestIdOf } from '../../adapters/github/status.ts'
import { randomUUID } from 'node:crypto'
import { Probot } from 'probot'
import { countersignOctokit } from '../../adapters/github/traffic/app-octokit.ts'
import { githubTraffic } from '../../adapters/github/traffic/client.ts'
import { openInbox, type Inbox, type InboxHandlers } from '../../adapters/inbox/inbox.ts'
import { redacting } from '../../core/words/text/redact.ts'
import { askedNow } from '../../engine/between/beside.ts'
import { twinFound } from '../../engine/attempts/twin-found.ts'
import { engineOver, type Engine } from '../../engine/engine.ts'
import { discreet } from '../../engine/redaction.ts'
import type { Steps } from '../../engine/verify/steps/step.ts'
import { withMore } from '../../engine/verify/steps/usual.ts'
import type { OnPause } from '../../engine/verify/asking/breakers.ts'
import type { Forge, Verifier } from '../../ports.ts'
import type { Credentials, Settings } from '../wire.ts'
import { settle } from '../../engine/settle.ts'
import { settleIssue } from '../../engine/issues/settle-issue.ts'
import { tryingAgain } from './again.ts'
import { issueBoards } from './issue-boards.ts'
import { documentAt } from './door/attempts.ts'
import { clientsOf } from './clients.ts'
import { openDatabase } from './database.ts'
import { missedDeliveries } from './rounds/missed-deliveries.ts'
import { healthOver, outOfReach } from './watched/health.ts'
import { attending, hearing, STORE_MS_MAX } from './hearing/hearing.ts'
import { OWN_DATABASE } from './hearing/outages.ts'
import { appJobs } from './jobs.ts'
import { watchedLoop } from './watched/loop.ts'
import { metricsText } from './watched/metrics.ts'
import { operationsOver } from '../operations.ts'
import { closedDoor } from './door/closed-door.ts'
import { closed, listening } from './door/guarded.ts'
import { mcpDoor } from './door/mcp-door.ts'
import { introduce } from './introduction.ts'
import { patiently, weather, within } from './hearing/patience.ts'
import { byTenant, gitHubReadingBy, readingBy } from './readings.ts'
import { repositories, type Repositories } from './repositories.ts'
import { retiring } from './rounds/retiring.ts'
import { startRounds } from './rounds/going.ts'
import { appServer } from './door/server.ts'
import { steadyClock } from './steady-clock.ts'
import { sealsOf } from './door/signature.ts'
import { courteous } from './hearing/talk.ts'
import { appLog } from './watched/log.ts'
import { telling } from './watched/telling.ts'
import { openSocket } from './door/socket.ts'
import { pagesOf } from '../github-host.ts'
import { signIn } from './door/signing-in.ts'
import { withStarter } from './starting.ts'
import { withTier1 } from './tier1.ts'
import { countedTrouble } from './watched/trouble.ts'
import { answerOf, appVerifier, askedLater, type VisionJudge } from './verifying.ts'

export type Begun = {
  readonly url: string
  /** Resolves where the database was set back, with since when nobody listened as far as it knows: all is to begin anew. */
  readonly setBack: Promise<string>
  readonly stop: () => Promise<void>
}

/** Leaves time to write down where things stand, within the ten seconds that a container has to end. */
const HANDLING_MS_MAX = 6_000

/** What a program that runs the App may bring: a verifier, or steps around the built-in one and a judge of screenshots. */
export type Own = { readonly verifier?: Verifier; readonly steps?: Partial<Steps>; readonly vision?: VisionJudge }

/** `since`: when somebody listened last, where that was earlier than the store says. */
export async function beginApp(
  settings: Settings,
  credentials: Credentials,
  own: Own,
  since: string | null,
): Promise<Begun> {
  const { appId, privateKey, webhookSecret: secret } = credentials
  const { apiUrl: baseUrl, logLevel, databaseUrl, dataDir, keeping } = settings
  const clock = steadyClock()
  const { time } = clock
  const traffic = githubTraffic({ time, onDate: clock.heed })
  const Client = countersignOctokit(traffic)
  const probot = new Probot({ appId, privateKey, secret, baseUrl, log: appLog(logLevel), Octokit: Client })
  await probot.ready()
  const { log } = probot
  const clients = clientsOf(probot)
  await introduce(clients.self, { appId, apiUrl: baseUrl }, log)

  // Whoever asks while the database is waited for is answered, too.
  const seals = sealsOf(secret)
  let routes = closedDoor(seals, 'it is being opened')
  const server = appServer(() => routes)
  const url = await listening(server, settings.host, settings.port)
  const waiting = (error: unknown): void => void (routes = closedDoor(seals, error))
  let [lookAround, lost] = [(_letIn?: number): void => undefined, (): void => undefined]
  let losses = 0
  const onLost = (): void => {
    losses += 1
    lost()
  }
  const open = () => openDatabase(databaseUrl, dataDir, keeping.archiveDir, onLost)
  const database = await patiently(log, open, waiting)
  const { id, since: madeAt, now } = database.made
  log.info({ store: id }, now ? 'the store is new' : `the store continues since ${madeAt}`)

  const sky = weather(log, database.probe, () => lookAround())
  const { onError } = sky
  const trouble = countedTrouble()
  const thread = new URL('./reading-thread.js', import.meta.url)
  const pool = threadPool(thread)
  // Whole repositories are searched there, and nobody else waits for that.
  const lookingPool = threadPool(thread, lookingLimits)
  const way = inThreads(pool)
  const secrets = [secret, privateKey, ...(settings.model === null ? [] : [settings.model.apiKey])]
  const hide = redacting(secrets)
  const tier1 = withTier1(way('tier1', appJobs.tier1))
  const starter = withStarter(way('starter', appJobs.starter), pagesOf(baseUrl), time.now)
  const decorated: Parameters<typeof repositories>[2] = (forge, ...where) => starter(tier1(forge, ...where), ...where)
  const places: Repositories = repositories(
    clients,
    time.now,
    (...own) => discreet(decorated(...own), hide),
    {
      onRefused: (what, error) => {
        trouble.count('refused')
        log.warn({ err: error, request: requestIdOf(error) }, `GitHub refuses ${what}`)
      },
      onDoubt: (repository, sha) => engine.doubts.note({ repository, sha }),
      losses: () => losses,
    },
    gitHubReadingBy(way, inThreads(lookingPool)),
  )
  const told = telling(log, clock.ms, places.tenantOf)
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
      onFault: (error) => log.error({ err: error }, 'a step of the verifier failed; nobody has judged'),
      purses: settings.usdPerDay === null ? null : database.purses(settings.usdPerDay, clock),
      taskPurses: database.taskPurses,
      steps: withMore(own.steps ?? {}),
      vision: own.vision ?? null,
      look: byTenant(inThreads(lookingPool), places)('picture', appJobs.picture),
      reading: readingBy(byTenant(way, places)),
    }))
  const last = await patiently(log, database.presence.last, waiting)
  const listenedLast = earliest(since, last.listened)
  const inbox = async (): Promise<Inbox> => opening
  const heard = hearing({
    inbox,
    places,
    clock,
    sights: database.sights,
    letIns: database.letIns,
    ownApp: appId,
    since: listenedLast,
    arrived: told.since,
    read: way('webhook', appJobs.webhook),
    hide,
    onLetIn: (installation) => {
      for (const known of [traffic.tokens, traffic.hiding]) known.forget(String(installation))
      lookAround(installation)
    },
    log,
  })
  const { ears, outages } = heard
  const later = tryingAgain((ref) => settle(engine, ref), clock.ms, onError)
  const engine: Engine<Forge> = engineOver(
    {
      store: database.store,
      forges: courteous(places, async (arrival) => (await inbox()).ingest(arrival)),
      verifier: askedLater(verifier, inbox, onError),
      clock,
      ids: { next: randomUUID },
      aside: aside(byTenant(way, places)),
    },
    {
      ...database.company,
      secrets,
      ears,
      onRecorded: told.onRecorded,
      onIssueTask: (issue) => boards.moved(issue),
      askedAgain: (ref, closes) => askedNow(engine, ref, closes),
      onTwin: (ref, twin) => void twinFound(engine, ref, twin).catch(onError),
      again: (ref, error, triesMax) => {
        if (error !== undefined) {
          trouble.count('pages')
          log.warn({ err: error, task: ref.task_id }, 'a page could not be shown and is tried again')
        }
        later.again(ref, error, triesMax)
      },
      onFault: (error, stream) => {
        trouble.count('faults')
        log.error({ err: error, stream }, 'a fault of ours; the attempt waits for a human')
      },
    },
  )
  const isBusy = async (): Promise<boolean> => {
    const { waiting: heardOf, active } = await (await inbox()).status()
    return heardOf + active > 0
  }
  const boards = issueBoards({ settle: (issue) => settleIssue(engine, issue), isBusy, now: clock.ms, onError })
  const handlers: InboxHandlers = {
    ...heard.handlers(engine),
    ask: (_key, payload, signal) => answerOf(engine, verifier, payload, signal),
  }
  const options = { clock, onError, stopMsMax: HANDLING_MS_MAX }
  const opening = patiently(log, () => openInbox(database.inbox, handlers, options), waiting)
  const opened = await opening
  const loop = watchedLoop()
  const reading = { store: database.store, readers: githubReaders(baseUrl, time.now), hide }
  routes = {
    seals,
    receive: heard.receive,
    refused: () => ears.missed(clock.now()),
    health: healthOver({
      made: database.made,
      ...opened,
      weather: sky,
      now: clock.ms,
      soon: () => later.soon() + boards.soon(),
      more: [() => outages.list().map(outOfReach)],
    }),
    metrics: async () =>
      metricsText(await within(STORE_MS_MAX, opened.status()), {
        loop: loop.figures(),
        reading: pool.stats(),
        pacing: traffic.pacing,
        told: told.figures(),
        trouble,
        now: clock.ms(),
        skewSeconds: clock.skewSeconds(),
        outages: outages.list().filter(({ installation }) => installation !== OWN_DATABASE).length,
      }),
    document: (request, proved) => documentAt(reading, request, proved),
    mcp: mcpDoor({ ...reading, apiUrl: baseUrl, slug: async () => (await clients.self()).slug, onError }),
    signIn: async (request, response) => signIn(baseUrl, request, response),
    onError,
  }
  const socket =
    databaseUrl === null ? await openSocket(dataDir, operationsOver(database.store, opened, hide), onError) : null
  log.info({ url }, 'listening')

  const { sights, presence } = database
  const asking = { now: clock.ms, onMissed: ears.missed, onTaken: presence.took }
  const missed = missedDeliveries(earliest(since, last.taken), asking)
  const retire = retiring(database.retention, keeping, clock)
  const heed = { since: listenedLast, missed, onMissed: ears.missedIn, onError }
  const parts = { engine, clients, places, sights, clock, trouble, retire, ...heed }
  const rounds = startRounds(parts, database.leads)
  const setBack = Promise.withResolvers<string>()
  const onSetBack = (to: string): void => {
    log.error(
      { to },
      'the database was set back to an earlier state; all begins anew, and what was said since is read at GitHub',
    )
    setBack.resolve(to)
  }
  const attends = attending(database, heard, clock, { onError, onSetBack })
  lookAround = (letIn) => {
    attends.look()
    rounds.soon(letIn)
  }
  lost = () => {
    attends.lost()
    rounds.forget()
  }
  return {
    url,
    setBack: setBack.promise,
    stop: async () => {
      log.info('stopping')
      loop.stop()
      rounds.stop()
      later.stop()
      boards.stop()
      attends.stop()
      sky.stop()
      await Promise.all([closed(server), socket?.stop()])
      await opened.stop()
      await Promise.all([pool.stop(), lookingPool.stop()])
      await database.close()
      log.info('stopped')
    },
  }
}

const earliest = (one: string | null, other: string): string => (one !== null && one < other ? one : other)
