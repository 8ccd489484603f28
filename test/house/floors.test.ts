// Which floor may import which, and that the pure floor is pure. A new import between floors is a decision: write it
// into DECISIONS.md first, then into the table in floors.ts.
import { describe, expect, test } from 'vitest'
import { floorProblems } from './floors.ts'
import { filesMatching, textOf } from './repository.ts'

const shipped = filesMatching(/^(src|action)\/.*(?<!\.d)\.ts$/)

test('the floors are found', () => {
  expect(shipped).toContain('src/ports.ts')
})

test('every file keeps to its floor', () => {
  expect(shipped.flatMap((path) => floorProblems(path, textOf(path)))).toEqual([])
})

describe('a file that breaks a rule is named with what it does and the rule', () => {
  test.each([
    ['src/core/a.ts', `import { judge } from '../verifier/judge.ts'`, 'core may import only core'],
    ['src/core/a.ts', `import type { Store } from '../ports.ts'`, 'core may import only core'],
    ['src/core/a.ts', `export { run } from '../engine/run.ts'`, 'core may import only core'],
    ['src/core/a.ts', `export * from '../engine/run.ts'`, 'core may import only core'],
    ['src/core/a.ts', `type T = import('../engine/run.ts').Run`, 'core may import only core'],
    ['src/verifier/a.ts', `import '../checks/run.ts'`, 'verifier may import only core, verifier'],
    ['src/ports.ts', `import { decide } from './core/decide.ts'`, 'ports imports only types, with `import type`'],
    ['src/ports.ts', `import { type Task } from './core/task.ts'`, 'ports imports only types, with `import type`'],
    ['src/ports.ts', `import type { Pool } from 'pg'`, 'ports imports only types of the pure floor'],
    ['src/ports.ts', `import type { Run } from './engine/run.ts'`, 'ports may import only core, verifier'],
    [
      'src/engine/a.ts',
      `import { run } from '../checks/run.ts'`,
      'engine may import only core, verifier, ports, engine',
    ],
    ['src/engine/deep/a.ts', `const m = await import('../../adapters/store.ts')`, 'engine may import only'],
    ['src/checks/a.ts', `import { judge } from '../verifier/judge.ts'`, 'checks may import only core, ports, checks'],
    ['src/checks/a.ts', `import { store } from '../adapters/store.ts'`, 'checks may import only core, ports, checks'],
    ['src/adapters/store/a.ts', `import { settle } from '../../engine/settle.ts'`, 'adapters may import only'],
    ['src/adapters/store/a.ts', `import { forge } from '../github/forge.ts'`, 'never another adapter'],
    ['src/adapters/clock.ts', `import { forge } from './github/forge.ts'`, 'never another adapter'],
    ['src/adapters/together/a.ts', `import { sql } from '../store/sql.ts'`, 'never another adapter'],
    ['src/entry/a.ts', `import { world } from '../../test/world.ts'`, 'nothing that ships imports a test'],
    ['action/a.ts', `import { main } from '../src/entry/cli/main.ts'`, 'action may import only'],
    ['action/a.ts', `const m = await import(name)`, 'write the module as plain text'],
    ['src/helpers/a.ts', `export const a = 1`, 'is on no floor'],
    ['src/core/a.ts', `import { readFile } from 'node:fs/promises'`, 'the pure floor imports only zod'],
    ['src/core/a.ts', `import { fromMarkdown } from 'mdast'`, 'the pure floor imports only zod'],
    ['src/core/a.ts', `import type { Pool } from 'pg'`, 'the pure floor imports only zod'],
    ['src/core/a.ts', `import { createHash, randomUUID } from 'node:crypto'`, 'takes only createHash'],
    ['src/verifier/a.ts', `import * as crypto from 'node:crypto'`, 'takes only createHash'],
    ['src/core/a.ts', `const at = Date.now()`, 'uses Date.now'],
    ['src/core/a.ts', `const at = new Date(0)`, 'uses Date:'],
    ['src/core/a.ts', `const { now } = Date`, 'uses Date.now'],
    ['src/core/a.ts', `const id = Math.random()`, 'uses Math.random'],
    ['src/core/a.ts', 'const at = `${process.uptime()}`', 'uses process.uptime'],
    ['src/core/a.ts', `const later = setTimeout`, 'uses setTimeout'],
    ['src/verifier/a.ts', `export const ask = () => fetch('https://example.com')`, 'uses fetch'],
    ['src/verifier/a.ts', `const t = performance.now() satisfies number`, 'uses performance.now'],
    ['src/verifier/a.ts', `console.log(1)`, 'uses console.log'],
    ['src/verifier/a.ts', `const id = crypto.randomUUID()`, 'uses crypto.randomUUID'],
    [
      'src/engine/a.ts',
      `const url = process.env['DATABASE_URL']`,
      'only src/entry/environment.ts and action/environment.ts read the environment',
    ],
    [
      'src/entry/a.ts',
      `const { env } = process`,
      'only src/entry/environment.ts and action/environment.ts read the environment',
    ],
    [
      'action/a.ts',
      `import { env } from 'node:process'`,
      'only src/entry/environment.ts and action/environment.ts read the environment',
    ],
  ])('%s: %s', (path, source, rule) => {
    const [problem = 'no problem was found', ...others] = floorProblems(path, source)
    expect(problem).toContain(path)
    expect(problem).toContain(rule)
    expect(others).toEqual([])
  })
})

describe('a file that keeps the rules is left alone', () => {
  test.each([
    ['src/core/a.ts', `import { createHash } from 'node:crypto'`],
    ['src/core/a.ts', `import type { Root } from 'mdast'`],
    ['src/core/a.ts', `// Date.now() and import x from 'node:fs'\nexport const text = "process.env"`],
    [
      'src/core/a.ts',
      `export const at = (event: { fetch: Date }) => [event.fetch, Date.parse('2026-11-20'), Math.max(1)]`,
    ],
    ['src/verifier/a.ts', `import { canonical } from '../core/canonical.ts'`],
    ['src/ports.ts', `import type { Task } from './core/task.ts'`],
    ['src/adapters/store/a.ts', `import { sql } from './sql.ts'\nimport { Pool } from 'pg'\nsetTimeout(sql, 1)`],
    ['src/adapters/store.ts', `import { sql } from './store/sql.ts'`],
    ['src/adapters/store/a.ts', `import { grouped } from '../together/grouped.ts'`],
    ['src/entry/cli/main.ts', `import { settle } from '../../engine/settle.ts'\nprocess.exitCode = 1`],
    ['src/entry/environment.ts', `export const url = process.env['DATABASE_URL']`],
    ['action/main.ts', `import { run } from '../src/checks/run.ts'`],
    ['action/environment.ts', `export const { env } = process`],
  ])('%s: %s', (path, source) => {
    expect(floorProblems(path, source)).toEqual([])
  })
})
