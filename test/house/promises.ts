// What a page promises, sentence by sentence, and whether each promise names a test that is there.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Nodes } from 'mdast'
import { parseAst } from 'vitest/node'
import { parse } from 'yaml'
import { z } from 'zod'

const row = z.strictObject({
  says: z.string(),
  /** `<file> > <title>` of each test that fails where the sentence is not so. */
  held_by: z.array(z.string()).min(1).optional(),
  /** Why nothing of ours could fail. */
  outside: z.string().optional(),
})
const table = z.record(z.string(), z.array(row))
type Table = z.output<typeof table>

export const promisesIn = (yaml: string): Table => table.parse(parse(yaml))

/** What is wrong between a page and the table of its promises. `textOf` gives null where there is no such file. */
export function promiseProblems(page: string, rows: Table, textOf: (path: string) => string | null): readonly string[] {
  const sentences = sentencesOf(page)
  return Object.entries(rows).flatMap(([section, promises]) => {
    const said = sentences.filter((one) => one.section === section).map(({ text }) => text)
    const told = promises.map(({ says }) => says)
    return [
      ...(said.length === 0 ? [`there is no section “${section}”`] : []),
      ...said.filter((text) => !told.includes(text)).map((text) => `nothing holds “${text}”`),
      ...told.filter((text) => !said.includes(text)).map((text) => `the page does not say “${text}”`),
      ...told.filter((text, index) => told.indexOf(text) !== index).map((text) => `twice: “${text}”`),
      ...promises.flatMap((promise) => rowProblems(section, promise, textOf)),
    ]
  })
}

/** Where everything is up to us, nothing is outside. */
const ours = 'What the rules trust'

function rowProblems(
  section: string,
  { says, held_by, outside }: z.output<typeof row>,
  textOf: (path: string) => string | null,
): readonly string[] {
  if ((held_by === undefined) === (outside === undefined)) return [`“${says}” is held by tests or it is outside`]
  if (outside !== undefined) return section === ours ? [`“${says}” is ours to hold`] : []
  return (held_by ?? []).flatMap((test) => {
    const [path = '', title = ''] = test.split(/ > (.*)/s)
    const text = path.endsWith('.test.ts') ? textOf(path) : null
    if (text === null) return [`“${says}” names ${path}, which is no file of tests`]
    return titlesIn(text).includes(title) ? [] : [`“${says}” names “${title}”, and ${path} has no such test`]
  })
}

type Sentence = { readonly section: string; readonly text: string }

/** In their order, each under its heading. A colon ends one only where the next begins like one. */
export function sentencesOf(markdown: string): readonly Sentence[] {
  let section = ''
  return paragraphs(fromMarkdown(markdown)).flatMap((node) => {
    const text = wordsOf(node).replace(/\s+/g, ' ').trim()
    if (node.type === 'heading') section = text
    if (node.type === 'heading') return []
    return text.split(/(?<=[.:])\s+(?=[A-Z`])/).map((one) => ({ section, text: one }))
  })
}

const paragraphs = (node: Nodes): readonly Nodes[] =>
  node.type === 'paragraph' || node.type === 'heading'
    ? [node]
    : 'children' in node
      ? node.children.flatMap((child) => paragraphs(child))
      : []

function wordsOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'inlineCode') return `\`${node.value}\``
  return 'children' in node ? node.children.map((child) => wordsOf(child)).join('') : ''
}

/** Of tests and of the groups that they are in. */
export function titlesIn(source: string): readonly string[] {
  const titles: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    if (!isNode(value)) return
    const title = value['type'] === 'CallExpression' && isTest(value['callee']) ? titleOf(value) : null
    if (title !== null) titles.push(title)
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }))
  return titles
}

type Node = { readonly [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `test`, `test.each(…)`, `describe.skipIf(…)` and the like. */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee['type'] === 'Identifier') return callee['name'] === 'test' || callee['name'] === 'describe'
  return isTest(callee['type'] === 'MemberExpression' ? callee['object'] : callee['callee'])
}

function titleOf({ arguments: args }: Node): string | null {
  const first: unknown = Array.isArray(args) ? args[0] : null
  return isNode(first) && typeof first['value'] === 'string' ? first['value'] : null
}
