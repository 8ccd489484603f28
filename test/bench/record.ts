// What the record takes: room for a pull request with three attempts, and time to look after a store full of finished tasks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { githubLimits } from '../../src/adapters/github/traffic/allowances.ts'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { migrate } from '../../src/adapters/store/migrations.ts'
import { sqlStore } from '../../src/adapters/store/sql-store.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { sweep } from '../../src/engine/rounds/sweep.ts'
import { roundsOn } from '../app/lab/own-rounds.ts'
import { appAt } from '../app/lab/running.ts'
import { startGitHub } from '../github/github.ts'
import { crowd } from './crowd.ts'
import { atMost, type Row } from './row.ts'

const pulls = 30
const attempts = 3
const plenty = 100_000_000
const policy = `identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }, { name: test, check_run: test, app: github-actions }]
`
const relations = z.array(z.object({ bytes: z.coerce.number() }))

export async function sizeRow(): Promise<Row> {
  const { sql, remove } = await aStore()
  const limits = { primaryPerHour: plenty }
  const github = await startGitHub({ app: { ...appAt(1), webhookUrl: null }, limits })
  const free = {
    pointsPerMinute: plenty,
    graphqlPointsPerMinute: plenty,
    contentPerMinute: plenty,
    contentPerHour: plenty,
  }
  const { round } = roundsOn(github, sqlStore(sql), { ...githubLimits, ...free })
  github.createOrg('acme', ['cleo'])
  github.install('acme')
  github.createRepo('acme/shop', { files: { 'README.md': '# Shop\n', '.github/countersign.yml': policy }, by: 'cleo' })
  github.setPermission('acme/shop', 'agent', 'write')
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    for (let pull = 0; pull < pulls; pull += 1) {
      const head = `branch-${pull}`
      const files = { [`src/${head}.ts`]: aText(40, attempt, pull), [`test/${head}.ts`]: aText(20, attempt, -pull) }
      const sha = github.push('acme/shop', head, { files, author: 'agent' })
      if (attempt === 1)
        github.openPull('acme/shop', { title: head, head, by: 'agent', body: 'It adds what was asked for.' })
      const conclusion = attempt === attempts ? 'success' : 'failure'
      github.reportCheck('acme/shop', { name: 'test', sha, conclusion: 'success' })
      github.reportCheck('acme/shop', { name: 'build', sha, conclusion })
    }
    await round()
  }
  const [sum] = relations.parse(
    await sql.query(
      `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relname in ('event', 'stream_key', 'open_stream')`,
    ),
  )
  await github.close()
  await remove()
  return atMost(
    'room for a pull request with three attempts, indexes included',
    (sum?.bytes ?? Infinity) / pulls / 1_000,
    'KB',
    40,
  )
}

const aText = (lines: number, attempt: number, pull: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `export const value${line} = ${(line * 7_919 + attempt * 31 + pull) % 9_973}\n`,
  ).join('')

export async function sweepRow(tasks: number): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-record-'))
  await crowd(directory, tasks)
  const { sql } = await openPglite(directory)
  const nobody = async () => Promise.reject(new Error('Nobody is asked'))
  const engine = engineOver(
    {
      store: sqlStore(sql),
      forges: { of: nobody },
      verifier: { available: false, verify: nobody, judgeGate: nobody },
      clock: { now: () => new Date().toISOString() },
      ids: { next: () => 'id' },
      aside: aside(inLine),
    },
    { alone: true },
  )
  const began = performance.now()
  const { settled, waiting } = await sweep(engine)
  const ms = performance.now() - began
  if (settled + waiting > 0) throw new Error('A finished task was looked at')
  await sql.close()
  rmSync(directory, { recursive: true, force: true })
  return atMost(`looking after a store of ${tasks} finished tasks`, ms, 'ms', 100)
}

async function aStore() {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-record-'))
  const { sql } = await openPglite(directory)
  await migrate(sql)
  const remove = async (): Promise<void> => {
    await sql.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { sql, remove }
}
