// What a round over everything asks of GitHub where nothing has happened since the last one: one installation, many
// repositories, five open pull requests in each, which are judged and shown.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { githubLimits } from '../../src/adapters/github/traffic/allowances.ts'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { digest } from '../../src/core/canonical.ts'
import { genesis } from '../../src/core/decision/record/chain.ts'
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { markOf, runsShown } from '../../src/core/decision/shown/owed.ts'
import type { Store } from '../../src/ports.ts'
import { roundsOn } from '../app/lab/own-rounds.ts'
import { appAt } from '../app/lab/running.ts'
import { startGitHub, type GitHub } from '../github/github.ts'
import { atMost, type Row } from './row.ts'

const pullsEach = 5
const plenty = 100_000_000
/** The same commits in each repository, from an hour before anybody looked. */
const at = new Date(Date.now() - 3_600_000).toISOString()
/** What GitHub gives an installation with so many repositories. */
const quota = (repositories: number): number => Math.min(5_000 + Math.max(0, repositories - 20) * 50, 12_500)
const roundsAnHour = 12
const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'

export async function idleRows(pulls: number): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-idle-'))
  const { sql } = await openPglite(directory)
  await migrate(sql)
  const github = await startGitHub({
    app: { ...appAt(1), webhookUrl: null },
    limits: { primaryPerHour: plenty },
    clock: { now: () => at },
  })
  const repositories = Math.ceil(pulls / pullsEach)
  const store = sqlStore(sql)
  const free = {
    pointsPerMinute: plenty,
    graphqlPointsPerMinute: plenty,
    contentPerMinute: plenty,
    contentPerHour: plenty,
  }
  const { round, deliveries, errors, time } = roundsOn(github, store, { ...githubLimits, ...free })
  const one = async (): Promise<Figures> => {
    await time.advance(300_000)
    const [before, asked, began] = [await used(github), github.requests.length, performance.now()]
    await deliveries()
    await round()
    const [ms, after] = [performance.now() - began, await used(github)]
    const points = Math.max(after.core - before.core, after.graphql - before.graphql)
    return { requests: github.requests.length - asked - 1, points, ms }
  }
  // One repository is judged; the others are as it is, to the letter.
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  const first = aRepository(github, 0)
  await one()
  for (let index = 1; index < repositories; index += 1) await alike(github, store, first, aRepository(github, index))
  await one()
  await time.advance(3_600_000)
  github.setLimits({ primaryPerHour: quota(repositories) })
  const idle = [await one(), await one(), await one()]
  await github.close()
  await sql.close()
  rmSync(directory, { recursive: true, force: true })
  if (errors.length > 0) throw new AggregateError(errors, 'A round failed')
  const most = (figure: (one: Figures) => number): number => Math.max(...idle.map(figure))
  const where = `${pulls} open pull requests in ${repositories} repositories`
  return [
    atMost(
      `an idle round over ${where}: requests`,
      most(({ requests }) => requests),
      'requests',
      150,
    ),
    atMost(
      `the same: share of an hourly quota that ${roundsAnHour} such rounds take, of REST’s or of GraphQL’s`,
      (most(({ points }) => points) * roundsAnHour * 100) / quota(repositories),
      '%',
      10,
    ),
    atMost('the same: time, on a GitHub that answers at once', most(({ ms }) => ms) / 1_000, 's', 60),
  ]
}

type Figures = { readonly requests: number; readonly points: number; readonly ms: number }

type Shop = { readonly name: string; readonly key: string; readonly heads: readonly string[] }

function aRepository(github: GitHub, index: number): Shop {
  const name = `acme/shop-${index}`
  const id = github.createRepo(name, {
    files: { 'README.md': '# Shop\n', '.github/countersign.yml': policy },
    by: 'cleo',
  })
  const heads = Array.from({ length: pullsEach }, (_, pull) => {
    const head = `branch-${pull}`
    const sha = github.push(name, head, { files: { [`src/${pull}.ts`]: 'one\n' }, author: 'cleo' })
    github.openPull(name, { title: head, head, by: 'cleo' })
    github.reportCheck(name, { name: 'build', sha, conclusion: pull % 2 === 0 ? 'success' : 'failure' })
    return sha
  })
  return { name, key: `R${id}`, heads }
}

/** Puts on record and on GitHub for one repository what is there for another. */
async function alike(github: GitHub, store: Store, from: Shop, to: Shop): Promise<void> {
  for (const [index, sha] of to.heads.entries()) {
    const [before, stream] = [`${from.key}#${index + 1}`, `${to.key}#${index + 1}`]
    const text = JSON.stringify(await store.read(before))
    const copied = text.replaceAll(from.key, to.key).replaceAll(from.name, to.name)
    const events = resealed(z.array(z.custom<RecordedEvent>()).parse(JSON.parse(copied)))
    await store.append(stream, 0, events)
    const task = replay(emptyTask(`${to.name}#${index + 1}`), events)
    for (const { shown } of runsShown(task)) {
      if (shown.kind !== 'check_run') continue
      const { name, conclusion } = shown
      github.reportCheck(to.name, { name, sha, app: 'countersign', conclusion, externalId: markOf(shown) })
    }
  }
}

function resealed(events: readonly RecordedEvent[]): RecordedEvent[] {
  let prev_hash = genesis
  return events.map(({ hash: _hash, ...event }) => {
    const unhashed = { ...event, prev_hash }
    prev_hash = digest(unhashed)
    return { ...unhashed, hash: prev_hash }
  })
}

const rates = z.object({
  resources: z.object({ core: z.object({ used: z.number() }), graphql: z.object({ used: z.number() }) }),
})

/** What is left of one does not help where the other is used up. */
async function used(github: GitHub): Promise<{ readonly core: number; readonly graphql: number }> {
  const headers = { authorization: `token ${github.installationToken('acme/shop-0')}` }
  const { resources } = rates.parse(await (await fetch(`${github.url}/rate_limit`, { headers })).json())
  return { core: resources.core.used, graphql: resources.graphql.used }
}
