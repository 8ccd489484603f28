// Since when the App can see which repository. GitHub says when an installation was made, and of a repository that was added
// to it later only at that moment, in a webhook; so the time is kept here. So is when somebody looked last at all that is in it:
// whoever listened afterwards cannot tell what was not told.
import { z } from 'zod'
import type { Sql } from '../sql.ts'

export type Sight = { readonly repository: string; readonly installation: number }
export type Listed = Sight & { readonly installed_at: string }

export type Seen = {
  readonly since: string
  /** When what is in it was looked at last; since when it is seen where nobody did so far. */
  readonly looked: string
}

/** `whole`: the installations of which everything is in the list. `named`: those of which GitHub says that there are. */
export type List = {
  readonly listed: readonly Listed[]
  readonly whole: readonly number[]
  readonly named: readonly number[]
}

export type Sights = {
  /** These were added to an installation just now. */
  readonly added: (sights: readonly Sight[], now: string) => Promise<void>
  /**
   * Everything that is seen through the installations in the list, and since when. What nobody told us was there from the
   * beginning of an installation that is new to us, and has come just now to one that we know: that was listed whole.
   */
  readonly since: (list: List, now: string) => Promise<ReadonlyMap<string, Seen>>
  /** What is in these was looked at, beginning at that time. */
  readonly looked: (sights: readonly Sight[], at: string) => Promise<void>
}

export function sqlSights(db: Sql): Sights {
  return {
    added: async (sights, now) => {
      if (sights.length > 0) await db.query(addedStatement, [...columns(sights), now])
    },
    since: async ({ listed, whole, named }, now) => {
      const seen = [...columns(listed), listed.map(({ installed_at }) => installed_at), now, whole]
      const long = new Date(Date.parse(now) - UNNAMED_MS).toISOString()
      await db.query(lostStatement, [...columns(listed), whole, named, long])
      if (listed.length === 0) return new Map()
      await db.query(listedStatement, seen)
      const rows = z.array(row).parse(await db.query(sinceStatement, columns(listed)))
      return new Map(rows.map(({ repository, ...seen }) => [repository, seen]))
    },
    looked: async (sights, at) => {
      if (sights.length > 0) await db.query(lookedStatement, [...columns(sights), at])
    },
  }
}

const columns = (sights: readonly Sight[]) => [
  sights.map(({ repository }) => repository),
  sights.map(({ installation }) => installation),
]

const addedStatement = `
  insert into sight (repository, installation, since, looked, told)
  select repository, installation, $3, $3, true from unnest($1::text[], $2::bigint[]) as batch (repository, installation)
  on conflict (installation, repository) do update set since = excluded.since, looked = excluded.looked`

/** A list of installations that changes while it is read may lack one. */
const UNNAMED_MS = 30 * 24 * 3_600_000

/** One that comes back later is seen anew. What is missing where a list was cut is not gone. */
const lostStatement = `
  delete from sight
  where (
    installation = any($3::bigint[]) and not exists (
      select from unnest($1::text[], $2::bigint[]) as batch (repository, installation)
      where batch.repository = sight.repository and batch.installation = sight.installation
    )
  ) or (installation <> all($4::bigint[]) and since < $5 and looked < $5)`

/** What is not `told` was in a list that was whole, so that what such an installation has besides came later. */
const listedStatement = `
  insert into sight (repository, installation, since, looked, told)
  select repository, installation, since, since, installation <> all($5::bigint[]) from (
    select repository, installation,
      case when installation in (select installation from sight where not told) then $4 else installed_at end as since
    from unnest($1::text[], $2::bigint[], $3::text[]) as listed (repository, installation, installed_at)
  ) as batch
  on conflict (installation, repository) do update set told = false
  where sight.told and sight.installation = any($5::bigint[])`

const sinceStatement = `
  select repository, since, looked from sight
  join unnest($1::text[], $2::bigint[]) as batch (repository, installation) using (repository, installation)`
const row = z.object({ repository: z.string(), since: z.string(), looked: z.string() })

const lookedStatement = `
  update sight set looked = $3
  from unnest($1::text[], $2::bigint[]) as batch (repository, installation)
  where batch.repository = sight.repository and batch.installation = sight.installation`
