// The tables of the event store and of the inbox beside it, as numbered migrations. A shipped migration is never edited:
// a change is a new number.
// Processes that start together take turns, so that each migration runs once.
import type { Query, Sql } from './sql.ts'

export type Migration = { readonly number: number; readonly statements: readonly string[] }

/**
 * Text may hold what the database stores as JSON but refuses to look into: a nul, half a surrogate pair. Blanked, it can
 * be asked for the fields around it.
 */
const readable = String.raw`regexp_replace(body::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json`

export const migrations: readonly Migration[] = [
  {
    number: 1,
    // The body is the record, kept to the letter; the columns are there to find it by.
    statements: [
      `create table event (
        stream text collate "C" not null,
        version integer not null check (version > 0),
        id text not null,
        type text not null,
        at text not null,
        hash text not null,
        body json not null,
        primary key (stream, version),
        constraint nobody_judges_their_own_work check (
          type <> 'VerificationCompleted' or coalesce(
            lower(${readable} #>> '{data,evaluator,agent_id}') <> lower(${readable} #>> '{data,generator_agent_id}'),
            true
          )
        )
      )`,
    ],
  },
  {
    number: 2,
    // The inbox: a line per key, with the place of its newest delivery and of the newest one that is done, and the
    // deliveries that stand in it. Only the holder, who took the line up last, moves it on.
    statements: [
      `create table inbox_line (
        key text collate "C" primary key,
        last_seq integer not null,
        done_seq integer not null,
        holder text
      )`,
      'create index inbox_line_unfinished on inbox_line (key) where done_seq < last_seq',
      `create table delivery (
        key text collate "C" not null,
        seq integer not null,
        guid text collate "C" not null unique,
        body json not null,
        received_at text collate "C" not null,
        dead_error text,
        primary key (key, seq)
      )`,
      'create index delivery_received on delivery (received_at)',
      'create index delivery_dead on delivery (received_at) where dead_error is not null',
    ],
  },
  {
    number: 3,
    statements: [
      // Where the attempts of a pull request or a commit are; an index of what the events say, not a second record.
      `create table stream_key (
        key text collate "C" not null,
        stream text collate "C" not null,
        primary key (key, stream)
      )`,
    ],
  },
  {
    number: 4,
    statements: [
      // Since when the App can see a repository; `told`: by GitHub, in the moment when it was added.
      `create table sight (
        installation bigint not null,
        repository text collate "C" not null,
        since text not null,
        told boolean not null,
        primary key (installation, repository)
      )`,
    ],
  },
  {
    number: 5,
    statements: [
      // When a process on this store listened last.
      `create table presence (
        "only" boolean primary key check ("only"),
        at text collate "C" not null
      )`,
      // When a delivery was given up last, and how often.
      'alter table delivery add column dead_at timestamptz',
      'alter table delivery add column dead_times integer not null default 0',
    ],
  },
  {
    number: 6,
    statements: [
      // One row: by what the store is known, and since when there is something in it.
      `create table store_made (
        alone boolean primary key default true check (alone),
        id uuid not null default gen_random_uuid(),
        since text not null
      )`,
      `insert into store_made (since) select coalesce(
        (select min(at) from event),
        to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )`,
    ],
  },
  {
    number: 7,
    statements: [
      // Where something may be left to do. Of what was there before nobody has looked yet.
      `create table open_stream (
        stream text collate "C" primary key,
        version integer not null,
        at text not null
      )`,
      'insert into open_stream (stream, version, at) select stream, max(version), max(at) from event group by stream',
    ],
  },
  {
    number: 8,
    statements: [
      // The record to the letter, as text or packed. A verdict stays text, so that the database goes on holding it to its rule.
      'alter table event alter column body drop not null',
      'alter table event add column packed bytea',
      `alter table event add constraint said_once check (
        num_nonnulls(body, packed) = 1 and (body is not null or type <> 'VerificationCompleted')
      )`,
    ],
  },
  {
    number: 9,
    statements: [
      // Where nothing is left to do, and since when nothing has happened there.
      `create table closed_stream (
        stream text collate "C" primary key,
        at text collate "C" not null
      )`,
      'create index closed_stream_at on closed_stream (at, stream)',
      `insert into closed_stream (stream, at)
        select stream, max(at) from event where stream not in (select stream from open_stream) group by stream`,
      // Events that lie in a file of the archive: those of a stream from the first to the last of these versions.
      `create table archived (
        stream text collate "C" not null,
        first integer not null,
        last integer not null check (last >= first),
        file text not null,
        start bigint not null,
        bytes integer not null,
        primary key (stream, first)
      )`,
      // Events with raw answers of models that can be removed.
      `create table kept_answer (
        stream text collate "C" not null,
        version integer not null,
        at text collate "C" not null,
        primary key (stream, version)
      )`,
      'create index kept_answer_at on kept_answer (at, stream, version)',
    ],
  },
  {
    number: 10,
    statements: [
      // What the verifier cost an installation on a day, and what calls that are under way may cost at most.
      `create table spending (
        installation text not null,
        day text not null,
        usd double precision not null,
        primary key (installation, day)
      )`,
    ],
  },
  {
    number: 11,
    statements: [
      // Who let us in again, for the processes that GitHub did not tell.
      `create table let_in (
        id uuid primary key default gen_random_uuid(),
        installation bigint not null,
        repositories text[] not null,
        at timestamptz not null default now()
      )`,
    ],
  },
  {
    number: 12,
    statements: [
      // When each process listened last, by which it knows the store again.
      `create table listener (
        process text primary key,
        at text collate "C" not null
      )`,
    ],
  },
  {
    number: 13,
    statements: [
      // A delivery is written once, read once and forgotten soon: packing it takes longer than storing it.
      'alter table delivery alter column body set storage external',
    ],
  },
  {
    number: 14,
    statements: [
      // What a storm brought and has no place in its lines yet: what came together, in the order in which it came.
      `create table set_aside (
        seq bigint generated always as identity primary key,
        received_at text collate "C" not null,
        size integer not null,
        names json not null,
        bodies text not null
      )`,
      'alter table set_aside alter column bodies set storage external',
    ],
  },
  {
    number: 15,
    statements: [
      // When somebody looked last at what is in a repository; empty where nobody noted it.
      `alter table sight add column looked text not null default ''`,
    ],
  },
  {
    number: 16,
    statements: [
      // Up to when everything was taken that GitHub lists as sent; empty where nobody noted it.
      `alter table presence add column taken text collate "C" not null default ''`,
      'update presence set taken = at',
      // Of what was there before it is known when somebody listened.
      `update sight set looked = coalesce((select at from presence), since) where looked = ''`,
    ],
  },
  {
    number: 17,
    statements: [
      // What the verifier cost a task, and what calls about it that are under way may cost at most.
      `create table task_spending (
        stream text collate "C" primary key,
        usd double precision not null
      )`,
    ],
  },
]

/** Says whether there was a store, or this made one. */
export async function migrate(db: Sql, wanted: readonly Migration[] = migrations): Promise<'made' | 'found'> {
  return db.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [migrationLock])
    await query('create table if not exists migration (number integer primary key)')
    const applied = new Set((await query('select number from migration')).map((row) => row['number']))
    refuseNewer(applied, wanted)
    for (const migration of wanted) if (!applied.has(migration.number)) await apply(query, migration)
    return applied.size === 0 ? 'made' : 'found'
  })
}

/** Any number will do, as long as every Countersign uses the same one. */
const migrationLock = 20_261_120

function refuseNewer(applied: ReadonlySet<unknown>, wanted: readonly Migration[]): void {
  const unknown = [...applied].filter((number) => !wanted.some((migration) => migration.number === number))
  if (unknown.length === 0) return
  throw new Error(
    `The event store was set up by a newer Countersign: it has migration ${unknown.join(', ')}, which this one does not know. ` +
      'Run that version or a later one on this store; nothing was changed.',
  )
}

async function apply(query: Query, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await query(statement)
  await query('insert into migration (number) values ($1)', [migration.number])
}
