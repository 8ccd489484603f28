// A name that would lead elsewhere at GitHub is no repository: whoever has a token reads what GitHub shows to it, and nothing
// whose number happens to be that of their account.
import { expect, test } from 'vitest'
import { githubReaders } from '../../../src/adapters/github/people/readers.ts'
import { pullNamed } from '../../../src/entry/attempts/pull-named.ts'
import { project } from '../../../src/entry/mcp/acting.ts'
import { readAt } from '../../../src/entry/mcp/resources.ts'
import { aGithub } from '../../adapters/small-github.ts'
import { aDoor, knowing, written } from './a-door.ts'

const elsewhere = ['../user', './user', 'acme/..', 'acme/.', 'a.b/shop']
const good = ['acme/shop', 'acme/.github', 'acme/..shop', 'acme_corp/shop.js']

test('only a name that GitHub could have given is asked for', async () => {
  const { url, seen } = await aGithub(knowing('gho_eve'))
  const readers = githubReaders(url, () => 0)
  for (const name of [...elsewhere, ...good]) expect(await readers.repository('gho_eve', name)).toBeNull()
  expect(seen).toEqual(good.map((name) => `GET /repos/${name}`))
})

test('what is no repository is none, whatever number it has', async () => {
  const { url } = await aGithub(({ line }) => ({
    json: line.endsWith('/shop') ? { id: 7, full_name: 'a/shop' } : { id: 7 },
  }))
  const readers = githubReaders(url, () => 0)
  expect(await readers.repository('gho_eve', 'acme/shop')).toBe('R7')
  expect(await readers.repository('gho_eve', 'acme/user')).toBeNull()
})

test.each(['attempts', 'tasks', 'goals', 'requests'])(
  'over HTTP /%s/ leads to no other place of GitHub',
  async (of) => {
    const github = await aGithub(knowing('gho_eve'))
    const { port, looked } = await aDoor(github.url)
    for (const name of [...elsewhere, 'acme/secret']) {
      const headers = { authorization: 'Bearer gho_eve', connection: 'close' }
      expect(await written(port, `GET /${of}/${name}/7`, headers).end).toContain('404 Not Found')
    }
    expect(looked).toEqual([])
    expect(github.seen).toEqual(['GET /user', 'GET /repos/acme/secret'])
  },
)

test('no address and no task of a tool is named so', async () => {
  const asked: string[] = []
  const hands = {
    read: async ({ repository }: { readonly repository: string }) => (
      asked.push(repository),
      { text: null, head: null }
    ),
    document: async () => null,
  }
  for (const name of elsewhere) {
    await expect(readAt(hands, `countersign://attempts/${name}/7`)).rejects.toThrow('There are only countersign://')
    expect(() => pullNamed(`${name}#7`)).toThrow('is no pull request')
    expect(() => pullNamed(`https://github.com/${name}/pull/7`)).toThrow('is no pull request')
    expect(project.safeParse(name).success).toBe(false)
  }
  for (const name of good) {
    await readAt(hands, `countersign://attempts/${name}/7`)
    expect(pullNamed(`${name}#7`)).toEqual({ repository: name, number: 7 })
    expect(pullNamed(`https://github.com/${name}/pull/7`)).toEqual({ repository: name, number: 7 })
    expect(project.safeParse(name).success).toBe(true)
  }
  expect(asked).toEqual(good)
})
