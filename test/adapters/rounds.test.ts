// What one round over everything does where parts of it go wrong: deliveries that GitHub does not bring again, installations
// that cannot be listed.
import { expect, test } from 'vitest'
import { githubTraffic, joinTraffic } from '../../src/adapters/github/traffic/client.ts'
import { ownAppIn } from '../../src/entry/app/clients.ts'
import { missedDeliveries } from '../../src/entry/app/rounds/missed-deliveries.ts'
import { repositories } from '../../src/entry/app/repositories.ts'
import { NotInstalled } from '../../src/ports.ts'
import { scripted, type Asked, type Reply } from './scripted.ts'

/** The newest is first, as GitHub lists them: each has its number for a minute. */
const delivery = (id: number, status_code: number, guid = `g${id}`) => ({
  id,
  guid,
  status_code,
  delivered_at: `2026-11-20T10:0${id}:00Z`,
  repository_id: 7,
})
const missed = [delivery(5, 504), delivery(4, 500, 'g3'), delivery(3, 200), delivery(2, 502), delivery(1, 502)]
const looking = (told: string[] = []) =>
  missedDeliveries('', {
    now: () => 0,
    onMissed: (since, repository) => void told.push(`${repository} since ${since}`),
    onTaken: async () => {},
  })
const again = (asked: readonly Asked[]) =>
  asked.flatMap(({ line }) => /^POST \/app\/hook\/deliveries\/(\d+)/.exec(line)?.[1] ?? [])

test('a delivery that GitHub does not bring again keeps back none of the others', async () => {
  const { access, asked } = scripted(({ line }) => {
    if (line.startsWith('GET')) return { json: missed }
    return line.includes('/1/') ? { status: 422, json: { message: 'too old' } } : { status: 202, json: {} }
  })
  expect(await looking().look(access.octokit)).toMatchObject([{ status: 422 }])
  expect(again(asked)).toEqual(['1', '2', '5'])
})

test('a delivery that GitHub failed to bring again is asked for in the next look', async () => {
  let fails = true
  const { access, asked } = scripted(({ line }) => {
    if (line.startsWith('GET')) return { json: missed }
    return fails && line.includes('/2/') ? { status: 502, json: { message: 'weather' } } : { status: 202, json: {} }
  })
  const { look } = looking()
  expect(await look(access.octokit)).toMatchObject([{ status: 502 }])
  fails = false
  expect(await look(access.octokit)).toEqual([])
  expect(again(asked)).toEqual(['1', '2', '5', '2'])
})

test('what was missed is asked for in order of time, all of it and once, and whoever listens is told since when', async () => {
  const pages = [missed.slice(0, 2), missed.slice(2, 4), missed.slice(4)]
  const { access, asked } = scripted(({ line }) => {
    if (!line.startsWith('GET')) return { status: 202, json: {} }
    const page = Number(/cursor=(\d)/.exec(line)?.[1] ?? 0)
    const link = page < 2 ? { link: `<https://api.github.com/app/hook/deliveries?cursor=${page + 1}>; rel="next"` } : {}
    return { json: pages[page] ?? [], headers: link }
  })
  const told: string[] = []
  const { look } = looking(told)
  expect(await look(access.octokit)).toEqual([])
  expect(again(asked)).toEqual(['1', '2', '5'])
  expect(told.toSorted()).toEqual([1, 2, 5].map((minute) => `R7 since 2026-11-20T10:0${minute}:00Z`))
  await look(access.octokit)
  expect(again(asked)).toHaveLength(3)
})

type Installation = { readonly id: number; readonly repos: () => Reply; readonly suspended_at?: string }
const created_at = '2026-11-01T00:00:00Z'

/** The App's own client, and one for each installation, which answers with its repositories. */
function seeing(installations: readonly Installation[]) {
  const app = scripted(({ line }) => {
    if (line === 'GET /app') return { json: { slug: 'countersign', id: 1, permissions: {}, events: [] } }
    const shown = installations.map(({ id, suspended_at = null }) => ({ id, created_at, suspended_at }))
    return line.startsWith('GET /app/installations') ? { json: shown } : null
  })
  const client = (id: number) => scripted(() => installations.find((one) => one.id === id)?.repos() ?? null)
  const clients = {
    app: async () => app.access.octokit,
    self: async () => ownAppIn((await app.access.octokit.request('GET /app')).data),
    installation: async (id: number) => client(id).access.octokit,
  }
  return {
    places: repositories(
      clients,
      () => 0,
      (forge) => forge,
    ),
    asked: app.asked,
  }
}
const listed = (ids: readonly number[], total_count = ids.length) => ({
  json: { total_count, repositories: ids.map((id) => ({ id, full_name: `acme/r${id}` })) },
})
const broken = (): Reply => ({ status: 500, json: { message: 'no' } })

test('an installation that cannot be listed hides none of the others, and is named', async () => {
  const { places } = seeing([
    { id: 1, repos: broken },
    { id: 2, repos: () => listed([21]) },
    { id: 3, repos: broken, suspended_at: created_at },
  ])
  const { installed, failed } = await places.list()
  expect(installed.map(({ repository }) => repository.full_name)).toEqual(['acme/r21'])
  expect(failed).toMatchObject([{ status: 500 }])
  await expect(places.of('R21#1')).resolves.toBeDefined()
})

test('a repository that may be one of those that could not be listed is asked for again', async () => {
  const { places } = seeing([{ id: 1, repos: broken }])
  await expect(places.of('R9#1')).rejects.toMatchObject({ status: 500 })
})

test('one that nobody lists is one where we are not let in, and that is not asked for each time', async () => {
  const { places, asked } = seeing([
    { id: 1, repos: () => listed([11]) },
    { id: 3, repos: broken, suspended_at: created_at },
  ])
  for (let time = 0; time < 3; time += 1) await expect(places.of('R9#1')).rejects.toBeInstanceOf(NotInstalled)
  expect(asked).toHaveLength(1)
})

test('a list that lacks some of the repositories that there are says so', async () => {
  const { places } = seeing([{ id: 1, repos: () => listed([11, 12], 3) }])
  expect((await places.list()).failed).toMatchObject([
    { message: 'GitHub listed 2 of the 3 repositories of installation 1' },
  ])
})

test('GitHub that asks for patience is not asked for the rest', async () => {
  const patience = { status: 403, headers: { 'retry-after': '60' }, json: { message: 'wait' } }
  const { octokit, asked } = scripted(({ line }) => (line.startsWith('GET') ? { json: missed } : patience))
  joinTraffic(githubTraffic(), octokit, {})
  expect(await looking().look(octokit)).toMatchObject([{ name: 'RateLimited' }])
  expect(again(asked)).toHaveLength(1)
})
