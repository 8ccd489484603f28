// Every command that the documents tell people to type is there, and takes what they give it.
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/entry/cli/commands.ts'
import { helpWords } from '../../src/entry/cli/common/help-words.ts'
import { commandProblems, typed, type Known } from './commands.ts'
import { filesMatching, scriptsOf, textOf } from './repository.ts'

const helps = await Promise.all(
  Object.entries(commands).map(async ([name, { load }]) => [name, (await load()).help] as const),
)
const known: Known = {
  commands: new Map(helps.map(([name, help]) => [name, helpWords(name, help)])),
  scripts: Object.keys(scriptsOf()),
}
// What changed in a version may name what is gone since, and the gallery shows what people wrote.
const pages = filesMatching(/^(?:docs\/)?[^/]+\.md$/).filter((page) => !/CHANGELOG|gallery/.test(page))

test('each is there, with each of its options', () => {
  expect(pages.flatMap((page) => typed(textOf(page))).length).toBeGreaterThan(60)
  expect(pages.flatMap((page) => commandProblems(page, textOf(page), known))).toEqual([])
})

test('each command says how it is called, and how it ends', () => {
  const mute = helps.filter(([name, help]) => !help.startsWith(`countersign ${name}`))
  expect(mute.map(([name]) => name)).toEqual([])
})

test('somewhere in the documents each command is told', () => {
  const all = pages.flatMap((page) => typed(textOf(page))).join('\n')
  expect(Object.keys(commands).filter((name) => !new RegExp(`countersign (?:-- )?${name}\\b`).test(all))).toEqual([])
})

test('what a command takes is read from its help', () => {
  const words = (name: string) => known.commands.get(name)
  expect(words('inbox')).toEqual({
    options: ['--json', '--help', '--limit'],
    words: ['list', 'replay', 'status'],
  })
  expect(words('schema')?.words).toEqual(['policy', 'attempt'])
  expect(words('explain')).toEqual({ options: ['--json', '--app', '--help'], words: [] })
})

describe('reported is', () => {
  const problems = (markdown: string) => commandProblems('A.md', markdown, known)

  test.each([
    ['`countersign verfy`', 'countersign has no command `verfy`'],
    ['Text.\n\n    npm run -s countersign -- verify ../shop --bas main', 'it has no option `--bas`'],
    ['Text.\n\n    npm ci && npm run demos', 'package.json has no script `demos`'],
    ['`countersign inbox show`', 'it knows list, replay, status, and no `show`'],
    ['```sh\nnpm instal\n```', 'npm has no `instal`'],
  ])('%s', (markdown, why) => {
    expect(problems(markdown)).toEqual([expect.stringContaining(why)])
  })

  test.each([
    '`countersign (<base>)`',
    '`countersign/attempt@1`',
    '    claude mcp add countersign -e A=$A -- countersign mcp --app https://countersign.example.com',
    '`countersign inbox list [--limit N]`',
    '```yaml\nrun: countersign verfy\n```',
  ])('nothing of %s', (markdown) => {
    expect(problems(markdown)).toEqual([])
  })
})
