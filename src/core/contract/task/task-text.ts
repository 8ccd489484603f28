// What an issue or pull request says in Markdown: the task's own block, and its acceptance criteria. Only what stands at
// the top level counts; what is quoted or hidden in a comment is not what the author asks.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Heading, ListItem, RootContent } from 'mdast'
import { flawOfAll, report, type Flaw, type PolicyProblem } from '../problem.ts'

export type TaskBlockText = { readonly text: string; readonly line: number }
export type BlockSearch =
  | { readonly ok: true; readonly block: TaskBlockText | null }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] }
export type CriteriaSearch =
  | { readonly ok: true; readonly criteria: readonly string[] }
  | { readonly ok: false; readonly flaw: Flaw }

/** What GitHub takes as the body of an issue. */
const MARKDOWN_LENGTH_MAX = 65_536
/** The parser takes time with the square of the lines that begin a quote or a list. */
const MARKDOWN_LINES_MAX = 3000
const NESTING_MAX = 3

/** The task's block in a text, if there is one. Two are an error, since nobody could tell which of them counts. */
export function findTaskBlock(markdown: string, file: string): BlockSearch {
  if (!/countersign/i.test(markdown)) return { ok: true, block: null }
  const blocks = topLevel(markdown)
  if (blocks === null) return { ok: false, problems: report([tooLong], file) }
  const found = blocks.filter((block) => block.type === 'code' && block.lang?.toLowerCase() === 'countersign')
  const [first, second] = found
  if (second !== undefined) {
    const message = 'This is the second block of language `countersign`. One task has one block: merge them.'
    const spot = { line: second.position?.start.line ?? 1, column: 1 }
    return { ok: false, problems: report([{ spot, path: [], message, nearest: null }], file) }
  }
  if (first?.type !== 'code') return { ok: true, block: null }
  return {
    ok: true,
    block: { text: first.value.replaceAll('\r\n', '\n'), line: (first.position?.start.line ?? 0) + 1 },
  }
}

/** Each top-level bullet is one criterion, with the lines and bullets below it. Text without bullets is one criterion. */
export function criteriaOf(text: string): CriteriaSearch {
  const blocks = topLevel(text)
  if (blocks === null) return { ok: false, flaw: tooLong }
  const bullets = bulletsIn(blocks, text)
  const whole = withoutComments(text).trim()
  return { ok: true, criteria: bullets.length > 0 || whole === '' ? bullets : [whole] }
}

/** The bullets below headings called "Acceptance criteria", down to the next heading of the same rank. */
export function headedCriteria(markdown: string): CriteriaSearch {
  if (!/acceptance\s+criteria/i.test(markdown)) return { ok: true, criteria: [] }
  const blocks = topLevel(markdown)
  if (blocks === null) return { ok: false, flaw: tooLong }
  const under: RootContent[] = []
  let rank: number | null = null
  for (const block of blocks) {
    if (block.type === 'heading' && (rank === null || block.depth <= rank)) {
      rank = isAboutCriteria(block, markdown) ? block.depth : null
    } else if (rank !== null) under.push(block)
  }
  return { ok: true, criteria: bulletsIn(under, markdown) }
}

const tooLong = flawOfAll(
  `This text has more than ${MARKDOWN_LENGTH_MAX} characters or ${MARKDOWN_LINES_MAX} lines. Shorten it, so that its block and its criteria can be read.`,
)

/** Inline markup decides nothing here and can be slow to read. */
const unread = [
  'attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'definition', 'hardBreakEscape',
  'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink',
] // prettier-ignore

function topLevel(markdown: string): readonly RootContent[] | null {
  if (markdown.length > MARKDOWN_LENGTH_MAX) return null
  // Line ends are kept as they are, for the same positions.
  const lines = markdown.split(/(?<=\r\n|\n|\r(?!\n))/)
  if (lines.length > MARKDOWN_LINES_MAX) return null
  const source = lines.map((line) => line.replace(/^([^\r\n]*)/, shallow)).join('')
  return fromMarkdown(source, { extensions: [{ disable: { null: unread } }] }).children
}

const marker = String.raw`[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))`
const deepMarkers = new RegExp(`^((?:${marker}){${NESTING_MAX}})((?:${marker})+)`)
const thematicBreak = /^[ \t]*([-*_])(?:[ \t]*\1)+[ \t]*$/

/**
 * What is nested deeper never counts. The text stays as long as it was, so that positions hold for the original. Each line
 * is looked at once from its beginning: a search that may start anywhere takes time with the square of the markers.
 */
const shallow = (line: string): string =>
  thematicBreak.test(line)
    ? line
    : line.replace(deepMarkers, (_all, outer: string, deep: string) => outer + 'x'.repeat(deep.length))

function isAboutCriteria(heading: Heading, markdown: string): boolean {
  const words =
    sourceOf(heading, markdown)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.join(' ') === 'acceptance criteria'
}

function bulletsIn(blocks: readonly RootContent[], markdown: string): string[] {
  const items = blocks.flatMap((block) => (block.type === 'list' ? block.children : []))
  return items.map((item) => bulletText(item, markdown)).filter((text) => text !== '')
}

function bulletText(item: ListItem, markdown: string): string {
  const [first, last] = [item.children[0], item.children.at(-1)]
  const from = first?.position?.start.offset
  const text = from === undefined ? '' : markdown.slice(from, last?.position?.end.offset)
  const lines = withoutComments(text.replace(/^\[[ xX]\][ \t]+/, '')).split(/\r\n|\n|\r/)
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** GitHub does not show HTML comments, so nobody who reads the issue would know what they ask. */
function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, index) => {
      if (index === 0) return part
      const end = part.indexOf('-->')
      return end === -1 ? `<!--${part}` : part.slice(end + 3)
    })
    .join('')
}

function sourceOf({ position }: RootContent, markdown: string): string {
  return position === undefined ? '' : markdown.slice(position.start.offset, position.end.offset)
}
