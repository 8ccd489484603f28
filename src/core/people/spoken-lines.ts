// Which lines of a comment its author says to us: those that Markdown renders as top-level paragraphs. What is quoted,
// shown as code, hidden, struck out or carried along by an e-mail program is somebody else's words.
// In doubt a line is not spoken: a command that was missed is written again, one that nobody gave cannot be undone.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Html, Paragraph, RootContent } from 'mdast'

/** `opens`: a command may begin here. Other lines can only carry on what an earlier one began. */
export type SpokenLine = { readonly text: string; readonly opens: boolean }

/** `items`: the entries of a list that stands right below it, each on one line. */
export type SpokenParagraph = { readonly lines: readonly SpokenLine[]; readonly items: readonly string[] }

/** `unread`: what stands behind the last line that was read, and what it may belong to. */
export type Spoken = { readonly paragraphs: readonly SpokenParagraph[]; readonly unread: string }

export const BODY_LENGTH_MAX = 65_536
/** The parser takes time with the square of the quotes; further lines are not read. */
export const LINES_MAX = 1500
// Past these a comment is a log or an attack, and parsing it could take seconds.
const NESTING_MAX = 8
const LIST_MARKERS_MAX = 1000
const HTML_OPENERS_MAX = 100
const BRACKETS_MAX = 1000

/** How a line begins that says something to us: as a command, or with our name. */
export const addressing = /^[ \t]*[/@]/

/** The paragraphs of a comment as their source lines. Null for what would take too long to read. */
export function spokenIn(body: string): Spoken | null {
  const all = body.slice(0, BODY_LENGTH_MAX).split(/\r\n|\n|\r/)
  const lines = all.slice(0, LINES_MAX)
  const isCut = body.length > BODY_LENGTH_MAX || all.length > LINES_MAX
  if (!all.some((line) => addressing.test(line))) return { paragraphs: [], unread: '' }
  const source = lines.map(shallow).join('\n')
  if (isTooCostly(source)) return null
  // Emphasis decides nothing here and is slow to read when somebody wants it to be.
  const { children } = fromMarkdown(source, { extensions: [{ disable: { null: ['attention'] } }] })
  // Where the body was cut, its last block may have been cut out of whatever held it.
  const blocks = isCut ? children.slice(0, -1) : children
  const paragraphs = blocks.filter((block) => block.type === 'paragraph')
  const silent = new Set([...footnoteLines(lines), ...wrappedLines(paragraphs), ...linesInsideElements(blocks, lines)])
  const carried = new Set(carriedLines(blocks, lines))
  const spoken = paragraphs.map((paragraph) => {
    const [first, last] = linesOf(paragraph)
    const end = range(first, last + 1).find((line) => carried.has(line)) ?? last + 1
    const texts = lines.slice(first, end)
    const table = tableStart(texts)
    const said = texts.map((text, index) => ({ text, opens: index < table && !silent.has(first + index) }))
    return { lines: said, items: itemsBelow(blocks[blocks.indexOf(paragraph) + 1], lines, carried) }
  })
  return { paragraphs: spoken, unread: unreadIn(all, children.at(-1)) }
}

function unreadIn(all: readonly string[], last: RootContent | undefined): string {
  if (all.length <= LINES_MAX) return ''
  const from = last === undefined ? LINES_MAX : linesOf(last)[0]
  return all.slice(from).join('\n')
}

/** What has more of them is no list that somebody wrote by hand. */
const ITEMS_MAX = 20
const ITEM_LENGTH_MAX = 200

function itemsBelow(block: RootContent | undefined, lines: readonly string[], carried: ReadonlySet<number>): string[] {
  if (block?.type !== 'list') return []
  return block.children.slice(0, ITEMS_MAX).flatMap((item) => {
    const [first] = linesOf(item)
    const text = (lines[first] ?? '').replace(/^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/, '').trim()
    return carried.has(first) || text === '' ? [] : [text.slice(0, ITEM_LENGTH_MAX)]
  })
}

const marker = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))`
const markers = new RegExp(`^(?:${marker})+`, 'gm')
const deepNesting = new RegExp(`^((?:${marker}){${NESTING_MAX}}).+$`, 's')
const thematicBreak = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/

/** Nothing inside this many quotes and lists can be spoken, so their content is left out before it is parsed. */
const shallow = (line: string): string => (thematicBreak.test(line) ? line : line.replace(deepNesting, '$1 x'))

function isTooCostly(source: string): boolean {
  const listMarkers = (source.match(markers) ?? []).reduce((sum, prefix) => sum + count(prefix, /[^>\s\d]/g), 0)
  return (
    listMarkers > LIST_MARKERS_MAX || count(source, /<[!?]/g) > HTML_OPENERS_MAX || count(source, /\[/g) > BRACKETS_MAX
  )
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** First and last line of a node, counted from 0. */
function linesOf(node: RootContent): readonly [number, number] {
  if (node.position === undefined) throw new Error(`the Markdown parser gave a ${node.type} without a position`)
  return [node.position.start.line - 1, node.position.end.line - 1]
}

/** From a GitHub footnote definition to the next blank line; plain CommonMark does not know them. */
function footnoteLines(lines: readonly string[]): number[] {
  let inside = false
  return lines.flatMap((line, index) => {
    inside = line.trim() !== '' && (inside || /^ {0,3}\[\^[^\]]+\]:/.test(line))
    return inside ? [index] : []
  })
}

/** Lines that begin within a code span, a link text or an HTML comment which an earlier line opened. */
function wrappedLines(paragraphs: readonly Paragraph[]): number[] {
  return paragraphs.flatMap((paragraph) =>
    paragraph.children
      .filter((child) => child.type !== 'text' && child.type !== 'break')
      .flatMap((child) => {
        const [first, last] = linesOf(child)
        return range(first + 1, last + 1)
      }),
  )
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

const htmlComment = /<!--.*?(?:-->|$)/gs
const quotingTag =
  /<(\/?)(?:blockquote|code|del|details|dl|kbd|ol|pre|q|s|samp|strike|summary|table|template|tt|ul)\b[^<>]*>/gi

/** Lines between the opening and the closing tag of an HTML element that quotes, folds away or strikes out. */
function linesInsideElements(blocks: readonly RootContent[], lines: readonly string[]): number[] {
  const nodes: Html[] = blocks
    .flatMap((block) => (block.type === 'paragraph' ? block.children : [block]))
    .filter((node) => node.type === 'html')
  const inside: number[] = []
  let depth = 0
  let tagLine = 0
  for (const node of nodes) {
    const [first, last] = linesOf(node)
    if (depth > 0) inside.push(...range(tagLine + 1, first + 1))
    for (const [, closing] of node.value.replace(htmlComment, '').matchAll(quotingTag)) {
      depth = Math.max(0, depth + (closing === '/' ? -1 : 1))
    }
    tagLine = last
  }
  return depth > 0 ? [...inside, ...range(tagLine + 1, lines.length)] : inside
}

const EMAIL_HEADER_LINES_MAX = 3
const EMAIL_HEADER_LENGTH_MAX = 500
/** Mail programs introduce the quoted mail in the language of the person who answers. */
const introduction =
  /^(?:On|Am|Le|El|Il|Op|Em)\b(?=.*\d).{1,300}(?:wrote|schrieb.*|écrit|escribió|scritto|schreef.*|escreveu)\s*:$/
const emailHeaders = [
  introduction,
  /^-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)\s*-{2,}/i,
  /^[*_]*(?:From|Von|De|Da|Van):.*[\s*_](?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden):/,
]

/**
 * Lines that an e-mail program writes or carries along: of the mail that is answered all that follows, and its introduction alone where a
 * quote follows that, since then it is the quote that is the mail.
 */
function carriedLines(blocks: readonly RootContent[], lines: readonly string[]): number[] {
  const introductions: number[] = []
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'paragraph' && block.type !== 'heading') continue
    const [first, last] = linesOf(block)
    const start = range(first, last + 1).find((line) => headersAt(lines.slice(line, last + 1)).length > 0)
    if (start === undefined) continue
    const isQuoted = headersAt(lines.slice(start, last + 1)).some(
      ({ header, size }) => header === introduction && start + size > last,
    )
    if (!isQuoted || blocks[index + 1]?.type !== 'blockquote') return [...introductions, ...range(start, lines.length)]
    introductions.push(...range(start, last + 1))
  }
  return introductions
}

/** With which headers a mail begins on the first of these lines, and over how many of them each goes. */
function headersAt(lines: readonly string[]): { readonly header: RegExp; readonly size: number }[] {
  return range(1, EMAIL_HEADER_LINES_MAX + 1).flatMap((size) => {
    const text = lines
      .slice(0, size)
      .map((part) => part.trim())
      .join(' ')
      .slice(0, EMAIL_HEADER_LENGTH_MAX)
    return emailHeaders.filter((header) => header.test(text)).map((header) => ({ header, size }))
  })
}

const tableDelimiter = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/

/** Where a GitHub table begins: on the line before its delimiter row. It ends with the paragraph. */
function tableStart(texts: readonly string[]): number {
  const delimiter = texts.findIndex((text, index) => index > 0 && tableDelimiter.test(text.trim()))
  return delimiter === -1 ? texts.length : delimiter - 1
}
