// What an operator may ask about the data of an App, and what comes back. The App answers while it holds the embedded
// store; otherwise the command line answers from the same database, by the same functions.
import { z } from 'zod'
import type { Inbox, InboxStatus } from '../adapters/inbox/inbox.ts'
import { isArchiveTrouble } from '../adapters/store/archive.ts'
import { verifyAll, verifyStream } from '../adapters/store/audit.ts'
import type { BrokenLink } from '../core/decision/record/chain.ts'
import { upcast } from '../core/decision/record/upcast.ts'
import { documentKinds, documents, newestTasks, type DocumentKind, type TaskRecord } from '../engine/documents.ts'
import { redacted } from '../engine/redaction.ts'
import type { Store } from '../ports.ts'
import { numberIn, repositoryIn } from '../core/names.ts'

export const LETTERS_MAX = 1_000
const PAGE_STREAMS_MAX = 500
export const RECORDS_MAX = 500

const status = z.object({ waiting: z.int(), dead: z.int(), oldest_waiting_at: z.string().nullable() })
const letters = z.array(z.object({ guid: z.string(), key: z.string(), received_at: z.string(), error: z.string() }))
const audit = z.object({
  streams: z.int(),
  broken: z.array(z.object({ stream: z.string(), task: z.string().nullable(), version: z.int(), why: z.string() })),
})

const words = z.string().nullable()
const records = z.array(
  z.object({ task_id: z.string(), events: z.array(z.unknown()), unread: z.string().nullable().default(null) }),
)

export type Status = z.output<typeof status>
export type Letter = z.output<typeof letters>[number]
export type AuditAnswer = z.output<typeof audit>

export type Operations = {
  readonly status: () => Promise<Status>
  /** Deliveries that were given up, the oldest first. */
  readonly dead: (limit: number) => Promise<readonly Letter[]>
  /** False when there is no such dead delivery. */
  readonly replay: (guid: string) => Promise<boolean>
  /** Of one task, named as people or as the store name it, or of all; null when nothing is recorded under the name. */
  readonly verify: (task: string | null) => Promise<AuditAnswer | null>
  /** What is told of an attempt, a task or a goal, named by the number of its pull request or issue; null where nothing is. */
  readonly document: (kind: DocumentKind, repository: string, number: number) => Promise<string | null>
  /** All that is recorded about the newest tasks of a repository, the latest first; empty where nothing is. */
  readonly records: (repository: string, last: number) => Promise<readonly TaskRecord[]>
}

export const operation = z.discriminatedUnion('operation', [
  z.object({ operation: z.literal('inbox.status') }),
  z.object({ operation: z.literal('inbox.dead'), limit: z.int().min(1).max(LETTERS_MAX) }),
  z.object({ operation: z.literal('inbox.replay'), guid: z.string() }),
  z.object({ operation: z.literal('audit.verify'), task: z.string().nullable() }),
  z.object({ operation: z.literal('records'), repository: z.string(), last: z.int().min(1).max(RECORDS_MAX) }),
  z.object({ operation: z.literal('document'), kind: z.enum(documentKinds), repository: z.string(), number: z.int() }),
])
export type Operation = z.output<typeof operation>

export function perform(operations: Operations, asked: Operation): Promise<unknown> {
  switch (asked.operation) {
    case 'inbox.status':
      return operations.status()
    case 'inbox.dead':
      return operations.dead(asked.limit)
    case 'inbox.replay':
      return operations.replay(asked.guid)
    case 'audit.verify':
      return operations.verify(asked.task)
    case 'document':
      return operations.document(asked.kind, asked.repository, asked.number)
    case 'records':
      return operations.records(asked.repository, asked.last)
  }
}

/** The other end of `perform`: `ask` brings an operation there and its answer back. */
export const asking = (ask: (asked: Operation) => Promise<unknown>): Operations => ({
  status: async () => status.parse(await ask({ operation: 'inbox.status' })),
  dead: async (limit) => letters.parse(await ask({ operation: 'inbox.dead', limit })),
  replay: async (guid) => z.boolean().parse(await ask({ operation: 'inbox.replay', guid })),
  verify: async (task) => audit.nullable().parse(await ask({ operation: 'audit.verify', task })),
  document: async (kind, repository, number) =>
    words.parse(await ask({ operation: 'document', kind, repository, number })),
  records: async (repository, last) => {
    const told = records.parse(await ask({ operation: 'records', repository, last }))
    return told.map(({ events, ...more }) => ({ ...more, events: events.map((one) => upcast(one)) }))
  },
})

type InboxPart = Pick<Inbox, 'dead' | 'replay'> & { readonly status: () => Promise<Omit<InboxStatus, 'active'>> }

/** `hide`: what an App knows to be secret. */
export const operationsOver = (
  store: Store,
  inbox: InboxPart,
  hide: (text: string) => string = (text) => text,
): Operations => ({
  status: inbox.status,
  dead: inbox.dead,
  replay: inbox.replay,
  verify: (task) => (task === null ? verifyEverything(store) : verifyTask(store, task)),
  records: async (name, last) => {
    const told = await recordsOf(store, name, last)
    return told.map(({ events, ...more }) => ({ ...more, events: events.map((event) => redacted(event, hide)) }))
  },
  document: async (kind, name, number) => firstOf(store, name, hide, (key) => documents[kind](store, key, number)),
})

async function recordsOf(store: Store, name: string, last: number): Promise<readonly TaskRecord[]> {
  const records: TaskRecord[] = []
  for (const key of await repositoriesNamed(store, name)) records.push(...(await newestTasks(store, key, last)))
  return records.slice(0, last)
}

async function verifyEverything(store: Store): Promise<AuditAnswer> {
  const { streams, broken } = await verifyAll(store)
  return { streams, broken: await named(store, broken) }
}

async function verifyTask(store: Store, task: string): Promise<AuditAnswer | null> {
  const streams = await streamsOf(store, task)
  if (streams.length === 0) return null
  const links = await Promise.all(streams.map((stream) => verifyStream(store, stream)))
  return {
    streams: streams.length,
    broken: await named(
      store,
      links.flatMap((link) => link ?? []),
    ),
  }
}

async function named(store: Store, links: readonly BrokenLink[]): Promise<AuditAnswer['broken']> {
  const broken: AuditAnswer['broken'] = []
  for (const { stream, version, why } of links) {
    broken.push({ stream, task: (await taskNames(store, stream))?.at(-1) ?? null, version, why })
  }
  return broken
}

/** Streams are named by the repository's id, which survives a rename; people know the name that its events carry. */
async function streamsOf(store: Store, task: string): Promise<readonly string[]> {
  const names = await taskNames(store, task)
  if (names === null || names.length > 0) return [task]
  const repository = repositoryIn(task)
  const keys = new Set(calledNow(await namesNow(store), repository))
  const found: string[] = []
  for await (const stream of everyStream(store)) {
    // An issue may be a task, a goal and more than that, all at once or in turn.
    if (numberIn(stream) !== numberIn(task)) continue
    if (keys.has(repositoryIn(stream)) || (await wasCalled(store, stream, repository))) found.push(stream)
  }
  return found
}

async function firstOf(
  store: Store,
  name: string,
  hide: (text: string) => string,
  ask: (key: string) => Promise<string | null>,
): Promise<string | null> {
  for (const key of await repositoriesNamed(store, name)) {
    const text = await ask(key)
    if (text !== null) return hide(text)
  }
  return null
}

/** The keys of the repositories that have this name; of those that had it where nobody has it now, as on GitHub. */
async function repositoriesNamed(store: Store, name: string): Promise<readonly string[]> {
  const now = await namesNow(store)
  const keys = calledNow(now, name)
  if (keys.length > 0) return keys
  const before = new Map<string, boolean>()
  for await (const stream of everyStream(store)) {
    const key = repositoryIn(stream)
    // What cannot be read says nothing; another stream of the same repository may.
    const names = before.has(key) ? [] : await taskNames(store, stream)
    if (names !== null && names.length > 0) before.set(key, isAmong(names, name))
  }
  return [...before].flatMap(([key, isIt]) => (isIt ? [key] : []))
}

type Named = { readonly name: string; readonly at: string }

/** By which name each repository, by its key, was known when something was said of it last. */
async function namesNow(store: Store): Promise<ReadonlyMap<string, Named>> {
  const names = new Map<string, Named>()
  for await (const page of pagesOf(store)) {
    for (const [stream, stored] of await store.newest(page)) {
      const told = event.safeParse(stored).data
      const key = repositoryIn(stream)
      if (told === undefined || told.at < (names.get(key)?.at ?? '')) continue
      names.set(key, { name: repositoryIn(told.task_id), at: told.at })
    }
  }
  return names
}

/** One that is gone may have left its name to another one. */
const calledNow = (names: ReadonlyMap<string, Named>, wanted: string): readonly string[] =>
  [...names]
    .filter(([, { name }]) => isSame(name, wanted))
    .toSorted(([, one], [, other]) => (one.at < other.at ? 1 : -1))
    .map(([key]) => key)

/** What cannot be read may be the one, and is told of rather than left out. */
async function wasCalled(store: Store, stream: string, repository: string): Promise<boolean> {
  const names = await taskNames(store, stream)
  return names === null || isAmong(names, repository)
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
const isAmong = (tasks: readonly string[], repository: string): boolean =>
  tasks.some((task) => isSame(repositoryIn(task), repository))

async function* everyStream(store: Store): AsyncGenerator<string> {
  for await (const page of pagesOf(store)) yield* page
}

async function* pagesOf(store: Store): AsyncGenerator<readonly string[]> {
  for (let page = await store.streams('', PAGE_STREAMS_MAX); page.length > 0;) {
    yield page
    page = await store.streams(page.at(-1) ?? '', PAGE_STREAMS_MAX)
  }
}

const event = z.object({ task_id: z.string(), at: z.string() })

/** Every name that a stream's task had, the latest last, as far as its events can be read; null where the archive cannot. */
async function taskNames(store: Store, stream: string): Promise<readonly string[] | null> {
  const stored = await store.readRaw(stream).catch((error: unknown) => {
    if (isArchiveTrouble(error)) return null
    throw error
  })
  return stored?.flatMap((one) => event.safeParse(one).data?.task_id ?? []) ?? null
}
