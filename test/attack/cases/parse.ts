// Texts that are cheap to write and dear to read: in issues, comments, reviews, policies and files. The process must go on
// answering, and go on judging what others do.
import type { Shop } from '../../app/lab/shop.ts'
import { each, type Case, type Role, type Scene } from '../case.ts'

const times = (text: string, count: number): string => text.repeat(count)
const long = 60_000
/** What GitHub takes. */
const bodyMax = 65_536

/** What costs a reader of Markdown more than it costs its writer. */
const texts: readonly (readonly [string, string])[] = [
  ['brackets that open', times('[', long)],
  ['brackets of links', times('[a](', long / 4)],
  ['images in images', times('![', long / 2)],
  ['emphasis that never ends', times('*a_', long / 3)],
  ['emphasis around nothing', times('**_*', long / 4)],
  ['quotes in quotes', times('> ', 5_000) + 'a'],
  ['marks of lists in one line', times('- ', long / 2)],
  ['stars of lists in one line', times('* ', long / 2)],
  ['numbers of lists in one line', times('1. ', long / 3)],
  ['lists in lists, line by line', times('- - a\n', 2_900)],
  ['numbered lines', times('1. a\n', 2_900)],
  ['emphasis in links', times('[*', long / 2)],
  [
    'lists in lists',
    Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`)
      .join('\n')
      .slice(0, long),
  ],
  ['code that never ends', times('`a``', long / 4)],
  ['fences that open', times('```\n', long / 4)],
  ['tags that open', times('<a ', long / 3)],
  ['comments that open', times('<!--', long / 4)],
  ['entities', times('&#x', long / 3)],
  [
    'definitions of links',
    Array.from({ length: 4_000 }, (_, one) => `[a${one}]: b\n[a${one}]`)
      .join('\n')
      .slice(0, long),
  ],
  ['backslashes and pipes', times('\\|', long / 2)],
  ['lines that look like headings', times('=\n', 2_900)],
  ['spaces at the ends of lines', `${times(' ', long)}x`],
  ['a block in a block in a block', times('```countersign\n', 3_000)],
  ['commands by the thousand', times('/override x\n', 4_000)],
  ['one command with many words', `/override ${times('--check ', 6_000)}`],
  ['characters that nobody sees', times('\u200b\u202e', long / 2)],
]

type Place = readonly [string, Role, (scene: Scene, shop: Shop, text: string) => Promise<void>]
const places: readonly Place[] = [
  [
    'an issue that the change closes',
    'outsider',
    async ({ github }, shop, text) => {
      const body = `## Acceptance criteria\n\n- It works\n\n${text}\n`.slice(0, bodyMax)
      const issue = github.openIssue(shop.name, { title: 'A task', body, by: 'dan' })
      await shop.open('agent', { body: `closes #${issue}` })
    },
  ],
  [
    'a comment',
    'outsider',
    async ({ github }, shop, text) => {
      const number = await shop.open()
      github.comment(shop.name, number, { body: `/status\n\n${text}`.slice(0, bodyMax), by: 'dan' })
    },
  ],
]

async function goesOn(scene: Scene, shop: Shop, sha: string): Promise<void> {
  await scene.settled()
  await shop.build(sha, 'success')
  scene.must(!(await shop.check(sha)).startsWith('in_progress: Waiting: required'), 'the next result is heard')
}

const markdown: readonly Case[] = each(texts, places, ([words, text], [place, role, write]) => ({
  role,
  name: `${words} in ${place}`,
  play: async (scene) => {
    const shop = await scene.shop()
    const sha = await shop.push()
    await write(scene, shop, text)
    await goesOn(scene, shop, sha)
  },
}))

const block = (yaml: string): string => `Do it.\n\n\`\`\`countersign\n${yaml}\n\`\`\`\n`
const bomb = (size: number): string =>
  ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
    .concat(Array.from({ length: size }, (_, n) => `a${n + 1}: &a${n + 1} [${times(`*a${n}, `, 9)}*a${n}]`))
    .join('\n')

const blocks: readonly (readonly [string, string])[] = [
  ['aliases of aliases', bomb(9)],
  ['brackets in brackets', `scope: ${times('[', 20_000)}`],
  ['mappings in mappings', `scope: ${times('{a: ', 10_000)}`],
  ['anchors by the thousand', Array.from({ length: 3_000 }, (_, n) => `k${n}: &k${n} 1`).join('\n')],
  ['a glob of stars', `scope: { write: ['${times('**/*a', 40)}b'] }`],
  ['a glob of alternatives', `scope: { write: ['${times('{a,b,c}', 14)}z'] }`],
  ['a glob of alternatives in alternatives', `scope: { write: ['${times('{a,', 24)}b${times('}', 24)}'] }`],
  [
    'long globs',
    `scope: { deny: [${Array.from({ length: 130 }, (_, n) => `'${times('**a', 155)}${n}'`).join(', ')}] }`,
  ],
  ['criteria by the thousand', `acceptance_criteria: |\n${times('  - a criterion\n', 3_000)}`],
  ['one key twice, often', times('stakes: high\n', 4_000)],
]
/** A hundred paths that a pattern matches late, if at all. */
const paths = Array.from({ length: 100 }, (_, one) => `src/${times('a/', 60)}${times('a', 90)}${one}.ts`)
const wide = Object.fromEntries(paths.map((path) => [path, 'one\n']))

const yaml: readonly Case[] = blocks.map(([words, text]) => ({
  role: 'writer',
  name: `${words} in the block of an issue`,
  play: async (scene) => {
    const shop = await scene.shop()
    const issue = scene.github.openIssue(shop.name, { title: 'A task', body: block(text), by: 'eve' })
    const sha = await shop.push('feature', 'agent', wide)
    await shop.open('agent', { body: `closes #${issue}` })
    await goesOn(scene, shop, sha)
  },
}))

const policies: readonly Case[] = blocks.map(([words, text]) => ({
  role: 'writer',
  name: `${words} in a policy`,
  play: async (scene) => {
    const shop = await scene.shop(`${text}\n`)
    const sha = await shop.push('feature', 'agent', wide)
    await shop.open()
    scene.never(shop, sha)
    await scene.settled()
    const neighbour = await scene.shop()
    const theirs = await neighbour.push()
    await neighbour.open()
    await neighbour.build(theirs, 'success')
    scene.must((await neighbour.check(theirs)).startsWith('success'), 'another repository is judged')
  },
}))

const files: readonly (readonly [string, string, string])[] = [
  ['JSON in JSON', 'a.json', times('[', 200_000)],
  ['objects in objects', 'a.json', times('{"a":', 100_000)],
  ['YAML in YAML', 'a.yml', `a: ${times('[', 100_000)}`],
  ['aliases of aliases', 'a.yml', bomb(9)],
  ['a table in tables', 'a.toml', `[${times('a.', 30_000)}a]\n`],
  ['arrays in arrays', 'a.toml', `a = ${times('[', 50_000)}`],
  ['a million quotes', 'a.csv', times('"",', 300_000)],
  ['one line of a megabyte', 'a.csv', times('a', 900_000)],
  ['a test that is one line', 'a.test.ts', times('it(', 200_000)],
  ['spaces before a comment', 'a.test.ts', `${times(' ', 300_000)}//`],
  ['characters that nobody sees', 'a.ts', times('\u200b\u202e', 150_000)],
  ['a hundred thousand lines', 'a.ts', times('a\n', 100_000)],
]

const contents: readonly Case[] = files.map(([words, path, text]) => ({
  role: 'agent',
  name: `${words} in a file of the change`,
  play: async (scene) => {
    const shop = await scene.shop()
    const sha = await shop.push('feature', 'agent', { [path]: text })
    await shop.open()
    await goesOn(scene, shop, sha)
  },
}))

export const parseCases: readonly Case[] = [...markdown, ...yaml, ...policies, ...contents]
