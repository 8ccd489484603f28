// A text of somebody else that we post as a whole, as the text of a task: it says to people and to parsers what it said where they
// read it, without what GitHub does not show there, and calls nobody. A comment leaves an empty one in its place: what a deletion
// leaves can come together to something new, such as a heading, a fence or a name.
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Html, Nodes, Text } from 'mdast'
import { visible } from '../../visible.ts'

type Piece = { readonly from: number; readonly to: number; readonly text: string }
type Leaf = { readonly node: Html | Text; readonly from: number; readonly source: string }

export function copied(given: string): string {
  const text = visible(given.replaceAll('\r\n', '\n'))
  const pieces: Piece[] = []
  let hiddenFrom: number | null = null
  for (const leaf of leavesOf(fromMarkdown(text), text)) {
    let { from, source } = leaf
    if (hiddenFrom !== null) {
      // A comment that a piece of HTML leaves open hides what follows, until another piece ends it.
      const end = leaf.node.type === 'html' ? source.indexOf(CLOSING) : -1
      if (end === -1) continue
      const length = end + CLOSING.length
      pieces.push({ from: hiddenFrom, to: from + length, text: emptyComment })
      ;[from, source, hiddenFrom] = [from + length, source.slice(length), null]
    }
    const isHtml = leaf.node.type === 'html'
    const shown = isHtml ? source.replaceAll(comment, emptyComment) : called(source)
    const opening = isHtml ? source.replaceAll(comment, (all) => ' '.repeat(all.length)).indexOf(OPENING) : -1
    if (opening === -1) {
      pieces.push({ from, to: from + source.length, text: isHtml ? calledInHtml(shown) : shown })
      continue
    }
    hiddenFrom = from + opening
    const before = source.slice(0, opening).replaceAll(comment, emptyComment)
    pieces.push({ from, to: hiddenFrom, text: calledInHtml(before) })
  }
  if (hiddenFrom !== null) pieces.push({ from: hiddenFrom, to: text.length, text: emptyComment })
  return joined(text, pieces)
}

const [OPENING, CLOSING] = ['<!--', '-->']
const comment = /<!--[\s\S]*?-->/g
/** Of a line of its own it leaves what follows a line of its own. */
const emptyComment = '<!-- -->'

function joined(text: string, pieces: readonly Piece[]): string {
  let done = ''
  let at = 0
  for (const { from, to, text: piece } of pieces) {
    done = beside(beside(done, text.slice(at, from)), piece)
    at = to
  }
  return beside(done, text.slice(at))
}

/** Ticks of two pieces of code that touch would be those of one. */
const beside = (one: string, other: string): string =>
  one.endsWith('`') && other.startsWith('`') ? `${one} ${other}` : one + other

function leavesOf(node: Nodes, text: string): Leaf[] {
  if ('children' in node) return node.children.flatMap((child) => leavesOf(child, text))
  if (node.type !== 'html' && node.type !== 'text') return []
  const [from, to] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
  return [{ node, from, source: text.slice(from, to) }]
}

/** As a sign or an entity, where no word goes on in it. A backslash before it would take our tick its meaning. */
const sign = String.raw`(?<!\\)(?:\\{2,}@|(?<!\w)(?:\\?@|&#0*64;|&#x0*40;|&commat;))`
/** With what hangs on it, where another name could begin. */
const name = String.raw`[a-z\d](?:(?:[\w./@\\-]|&[#\w]+;)*[\w@;])?`
/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#mentioning-people-and-teams */
const calling = new RegExp(`${sign}(${name})`, 'gi')
const address = /^(?:https?|ftp):\/\/|^www\./i

/** A tick that opens no code is none, so that none of ours is taken for its end. */
function called(source: string): string {
  return source
    .replaceAll('`', "'")
    .split(/(\s+)/)
    .map((word) => {
      const isCalling = word.search(calling) !== -1
      return isCalling && address.test(word) ? `\`${word}\`` : word.replaceAll(calling, '`@$1`')
    })
    .join('')
}

/** Ticks are none within HTML. */
const calledInHtml = (source: string): string =>
  source
    .split(/(<!--[\s\S]*?-->|<[^<>]*>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(calling, '<code>@$1</code>')))
    .join('')
