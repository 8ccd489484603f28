// Since when the App can see a repository: from the beginning of its installation, or from when it was added.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { sqlSights } from '../../src/adapters/store/notes/sights.ts'
import { embeddedSql, postgresSql } from '../store/opened.ts'

const databaseUrl = process.env['DATABASE_URL']
const sql = await (databaseUrl === undefined ? embeddedSql() : postgresSql(databaseUrl))
await migrate(sql)
const sights = sqlSights(sql)
afterAll(() => sql.close())
beforeEach(() => sql.query('delete from sight'))

const installed_at = '2026-11-01T00:00:00Z'
const seen = (repository: string, installation = 7) => ({ repository, installation, installed_at })
const [monday, tuesday, friday] = ['2026-11-16T08:00:00Z', '2026-11-17T08:00:00Z', '2026-11-20T08:00:00Z']
const since = async (listed: ReturnType<typeof seen>[], now: string, whole?: readonly number[]) =>
  Object.fromEntries(
    Array.from(
      await sights.since({ listed, whole: whole ?? listed.map(({ installation }) => installation) }, now),
      ([repository, seen]) => [repository, seen.since],
    ),
  )

test('all of an installation that is new to us are there from its beginning', async () => {
  expect(await since([seen('R1'), seen('R2')], monday)).toEqual({ R1: installed_at, R2: installed_at })
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: installed_at })
})

test('what GitHub says was added is there since then, also where we never looked before', async () => {
  await sights.added([{ repository: 'R2', installation: 7 }], tuesday)
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: tuesday })
})

test('what nobody told us of is there since we saw it', async () => {
  await since([seen('R1')], monday)
  expect(await since([seen('R1'), seen('R2')], tuesday)).toEqual({ R1: installed_at, R2: tuesday })
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: tuesday })
})

test('what was taken away and comes back is there since it is back', async () => {
  await since([seen('R1'), seen('R2')], monday)
  await since([seen('R1')], tuesday)
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: friday })
  await sights.added([{ repository: 'R1', installation: 7 }], friday)
  expect(await since([seen('R1')], friday)).toEqual({ R1: friday })
})

test('what is missing where an installation was not listed whole is not gone', async () => {
  await since([seen('R1'), seen('R2')], monday)
  expect(await since([seen('R1')], tuesday, [])).toEqual({ R1: installed_at })
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: installed_at })
})

test('an installation that could not be listed loses nothing, and a new one of the same account begins anew', async () => {
  await sights.added([{ repository: 'R1', installation: 7 }], monday)
  expect(await since([seen('R9', 8)], tuesday)).toEqual({ R9: installed_at })
  expect(await since([seen('R1'), seen('R9', 8)], friday)).toEqual({ R1: monday, R9: installed_at })
  expect(await since([seen('R1', 9)], friday)).toEqual({ R1: installed_at })
})

test('when somebody looked last at what is in a repository is kept with the sight of it', async () => {
  const listed = [seen('R1'), seen('R2')]
  const looks = async () =>
    Array.from((await sights.since({ listed, whole: [7] }, friday)).values(), ({ looked }) => looked)
  // Where nobody did, since when it is seen.
  expect(await looks()).toEqual([installed_at, installed_at])
  await sights.looked([seen('R2')], tuesday)
  expect((await looks()).toSorted()).toEqual([installed_at, tuesday])
  await since([seen('R1')], friday)
  expect((await looks()).toSorted()).toEqual([installed_at, friday])
  await sights.added([seen('R1')], monday)
  expect((await looks()).toSorted()).toEqual([monday, friday])
})

test('nothing is asked of the database where nothing is installed', async () => {
  expect(await since([], monday)).toEqual({})
})
