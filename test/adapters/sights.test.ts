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
const installationsOf = (listed: ReturnType<typeof seen>[]) => listed.map(({ installation }) => installation)
const since = async (
  listed: ReturnType<typeof seen>[],
  now: string,
  whole: readonly number[] = installationsOf(listed),
  named: readonly number[] = whole,
) =>
  Object.fromEntries(
    Array.from(await sights.since({ listed, whole, named }, now), ([repository, seen]) => [repository, seen.since]),
  )
const kept = async (): Promise<readonly unknown[]> =>
  (await sql.query('select installation::integer as n, repository from sight order by 1, 2')).map(
    ({ n, repository }) => `${String(n)} ${String(repository)}`,
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

test('the only one of its installation that was taken away and comes back is there since it is back', async () => {
  await sights.added([{ repository: 'R1', installation: 7 }], monday)
  await since([seen('R9', 8)], tuesday, [7, 8])
  expect(await kept()).toEqual(['8 R9'])
  await since([], friday, [7, 8])
  expect(await kept()).toEqual([])
})

test('of an installation that no list names nothing is kept a month after it was looked at last', async () => {
  await since([seen('R1'), seen('R2', 8)], monday)
  await sights.looked([seen('R1'), seen('R2', 8)], friday)
  await since([seen('R2', 8)], '2026-12-19T08:00:00Z')
  expect(await kept()).toEqual(['7 R1', '8 R2'])
  // It may be suspended, or cannot be listed.
  await since([], '2026-12-21T08:00:00Z', [], [7, 8])
  expect(await kept()).toEqual(['7 R1', '8 R2'])
  await since([seen('R2', 8)], '2026-12-21T08:00:00Z')
  expect(await kept()).toEqual(['8 R2'])
  await since([], '2027-02-01T08:00:00Z', [])
  expect(await kept()).toEqual([])
})

test('what is missing where an installation was not listed whole is not gone', async () => {
  await since([seen('R1'), seen('R2')], monday)
  expect(await since([seen('R1')], tuesday, [])).toEqual({ R1: installed_at })
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: installed_at, R2: installed_at })
})

test('what the first lists lacked is there from the beginning, and what comes once all was listed is not', async () => {
  const [one, two, three] = [seen('R1'), seen('R2'), seen('R3')]
  expect(await since([one], monday, [], [7])).toEqual({ R1: installed_at })
  expect(await since([one, two], tuesday, [], [7])).toEqual({ R1: installed_at, R2: installed_at })
  await sights.added([{ repository: 'R1', installation: 7 }], tuesday)
  const known = { R1: tuesday, R2: installed_at, R3: installed_at }
  expect(await since([one, two, three], tuesday)).toEqual(known)
  await sights.added([one, two, three], tuesday)
  expect(await since([one, two, three, seen('R4')], friday, [], [7])).toMatchObject({ R3: tuesday, R4: friday })
})

test('what was added before anything was listed says nothing of the others, and once they were listed it does', async () => {
  await sights.added([{ repository: 'R1', installation: 7 }], monday)
  expect(await since([seen('R1')], tuesday)).toEqual({ R1: monday })
  expect(await since([seen('R1'), seen('R2')], friday)).toEqual({ R1: monday, R2: friday })
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
    Array.from((await sights.since({ listed, whole: [7], named: [7] }, friday)).values(), ({ looked }) => looked)
  // Where nobody did, since when it is seen.
  expect(await looks()).toEqual([installed_at, installed_at])
  await sights.looked([seen('R2')], tuesday)
  expect((await looks()).toSorted()).toEqual([installed_at, tuesday])
  await since([seen('R1')], friday)
  expect((await looks()).toSorted()).toEqual([installed_at, friday])
  await sights.added([seen('R1')], monday)
  expect((await looks()).toSorted()).toEqual([monday, friday])
})

test('nothing is seen where nothing is installed', async () => {
  expect(await since([], monday)).toEqual({})
})
