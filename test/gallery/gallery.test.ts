// docs/gallery.md is what the rules and the words make of these states, and each of them ends with what its title says.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { outcomeOf } from '../../src/entry/cli/test.ts'
import { playCase } from '../../src/entry/cli/cases/play-case.ts'
import { cases, gallery } from './gallery.ts'

test('the gallery is up to date: `npm run gallery` writes it', async () => {
  const page = await gallery()
  expect(await readFile(new URL('../../docs/gallery.md', import.meta.url), 'utf8')).toBe(page)
  const titles = page.match(/^## .*/gm) ?? []
  expect(titles.length).toBeGreaterThanOrEqual(40)
  expect(new Set(titles).size).toBe(titles.length)
})

test('each state is what its title says', async () => {
  for (const one of await cases())
    expect(outcomeOf('states.yml', one, playCase(one.given, one.policy)).differences).toEqual([])
})
