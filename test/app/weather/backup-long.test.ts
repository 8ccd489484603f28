// A backup, made and brought back with the commands of the README: what was decided is there, every link of the record
// holds, and what people said after the backup was made is read at GitHub again.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { countersign } from '../../cli/cli.ts'
import { aDatabase, server } from '../lab/a-database.ts'
import { runningApp, until, type Running } from '../lab/running.ts'
import { changesIn } from '../lab/unheard.ts'

/** Not to be waited for in line: the way to the database leads through this process. */
const run = promisify(execFile)

type Backup = { readonly make: () => Promise<unknown>; readonly bringBack: () => Promise<unknown> }

/** Of two rejections, one before and one after the backup, those that stand in the end. */
async function standing(app: Running, env: Record<string, string>, { make, bringBack }: Backup): Promise<string[]> {
  const { aChange, wasGreen } = changesIn(app)
  const [before, after] = [await aChange(), await aChange()]
  await before.shop.say(before.number, 'bob', '/reject not like this')
  expect(await before.shop.check(before.sha)).toMatch(/^failure/)
  await app.idle()
  await app.kill()
  await make()
  await app.start()
  await after.shop.say(after.number, 'bob', '/reject nor like that')
  await app.idle()
  await app.kill()
  await bringBack()
  const audit = await countersign(['audit', 'verify'], { env: { ...env, DATA_DIR: join(app.directory, 'data') } })
  expect({ code: audit.code, err: audit.err }).toEqual({ code: 0, err: '' })
  await app.start()
  for (const { shop, sha } of [before, after]) await shop.build(sha, 'success')
  const stands: string[] = []
  for (const [name, { shop, sha }] of Object.entries({ before, after })) {
    await until(async () => /rejected by bob/.test(await shop.check(sha)))
    if (!wasGreen(sha, shop.name)) stands.push(name)
  }
  return stands
}

test('a copy of the directory', async () => {
  const app = await runningApp()
  const [data, copy] = [join(app.directory, 'data'), join(app.directory, 'copy')]
  try {
    const stands = await standing(
      app,
      { DATABASE_URL: '' },
      {
        make: () => run('cp', ['-a', data, copy]),
        bringBack: async () => {
          rmSync(data, { recursive: true })
          await run('cp', ['-a', copy, data])
        },
      },
    )
    expect(stands).toEqual(['before', 'after'])
  } finally {
    await app.stop()
  }
}, 120_000)

/** Of the newest server that is installed here, which reads what older ones write. */
const tool = (name: string): string => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0]
  return newest === undefined ? name : join('/usr/lib/postgresql', newest, 'bin', name)
}
const hasTools = ((): boolean => {
  try {
    execFileSync(tool('pg_dump'), ['--version'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(server === '' || !hasTools)(
  'a dump of the database',
  async () => {
    const database = await aDatabase()
    const app = await runningApp({}, { DATABASE_URL: database.url })
    const dump = join(app.directory, 'countersign.dump')
    try {
      const stands = await standing(
        app,
        { DATABASE_URL: database.url },
        {
          make: () => run(tool('pg_dump'), ['--format=custom', `--file=${dump}`, database.url]),
          bringBack: async () => {
            await database.empty()
            await run(tool('pg_restore'), ['--no-owner', `--dbname=${database.url}`, dump])
          },
        },
      )
      expect(stands).toEqual(['before', 'after'])
    } finally {
      await app.stop()
      await database.remove()
    }
  },
  120_000,
)
