// The command line itself: which version it is, and what it says to a command that it does not have.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { VERSION } from '../../src/entry/version.ts'
import { textOf } from '../house/repository.ts'
import { countersign } from './cli.ts'

test('it knows its version', async () => {
  const { code, out } = await countersign(['--version'])
  expect([code, out]).toEqual([0, `${VERSION}\n`])
  expect(z.object({ version: z.string() }).parse(JSON.parse(textOf('package.json'))).version).toBe(VERSION)
})

test.each([
  ['vaildate', ' Did you mean `validate`?'],
  ['\u001b[31mdeploy', ''],
])('the command %j is none, and what is near is named', async (name, hint) => {
  const { code, out, err } = await countersign([name])
  expect([code, out]).toEqual([2, ''])
  expect(err.split('\n')[0]).toBe(`countersign: there is no command \`${name.replace('\u001b', '\u{fffd}')}\`.${hint}`)
  expect(err).toContain('countersign --version which one this is')
})
