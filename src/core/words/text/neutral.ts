// Text that somebody else wrote, where it stands between our own words in Markdown. Every word in it that could act there,
// by mentioning somebody, linking, referring to an issue or a commit, opening HTML or a comment, or beginning a heading, a
// list or a table, is set as code, where Markdown and GitHub leave everything alone. What it hides becomes a mark.
// https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
import { upTo, visible } from '../../visible.ts'

const NEUTRAL_MAX = 500

/** One line, at most `max` characters of theirs. */
export function neutralLine(text: string, max: number = NEUTRAL_MAX): string {
  const line = visible(upTo(text, 4 * max).replaceAll(/\s+/g, ' ')).trim()
  return inertLine(line.length <= max ? line : `${upTo(line, max - 1)}…`)
}

/** What GitHub or Markdown would act on, wherever in a word it stands. */
const acting = [
  // Mentions, addresses, and commits of others
  '@',
  // Links
  String.raw`:\/\/|www\.|(?:mailto|xmpp):`,
  // Issues, advisories and commits
  String.raw`#\d|gh-\d|(?:ghsa|cve)-|(?<![a-z0-9])[0-9a-f]{7,40}(?![a-z0-9])`,
  // Links, images, footnotes and boxes to tick; HTML and its entities; what takes the next sign its meaning; emoji by name
  String.raw`[[\]\\<>]|&[#a-z]|:[\w+-]+:`,
  // Tables, whose cells end within a piece of code too, and mathematics
  '[|$]',
].join('|')
/** Emphasis, which ends where the text of a block of its own ends. */
const shaping = /[*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u
/** What begins a heading, a list, a fence or a rule, or speaks to another bot, where a line begins with it. */
const beginning = /^(?:#{1,6}$|[-+=]+$|:?-+:?$|\d{1,9}[.)]$|\/|~{3})/

/** What a colon of ours behind it would make an emoji. */
const ending = /:(?=\d*[a-z_+-])[\w+-]+$/i

/** How GitHub spells an account that is an App; nothing links there as long as nobody defines what `[bot]` is. */
const botLogin = /^[a-z\d](?:[a-z\d-]{0,38})\[bot\][.,:;)]?$/i

// Without the flag for Unicode, under which the Kelvin sign is a K and hides the commit that stands before it.
const actingForm = new RegExp(acting, 'i')
type Acts = (word: string) => boolean
const actsInBlock: Acts = (word) => actingForm.test(word)
const actsInSentence: Acts = (word) => actingForm.test(word) || shaping.test(word)

/**
 * An inert line of ours, cut so that it stays inert: between words and pieces of code, since half a word can be a commit,
 * and half a piece of code is none.
 */
export function cutInert(line: string, max: number, size: (text: string) => number = (text) => text.length): string {
  if (size(line) <= max) return line
  let end = 0
  for (const [atom] of line.matchAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)|`+|\s+|[^\s`]+/g)) {
    if (size(`${line.slice(0, end + atom.length).trimEnd()}…`) > max) break
    end += atom.length
  }
  return `${line.slice(0, end).trimEnd()}…`
}

/** In a sentence of ours. Doing it twice changes nothing. */
export const inertLine = (line: string): string => inert(line, actsInSentence)

/** A line of a block that is all theirs, and may have its shape. */
export const inertBlockLine = (line: string): string => inert(line, actsInBlock)

const inert = (line: string, acts: Acts): string => besideCode(line, (part, at) => wordsInert(part, acts, at))

type Place = { readonly begins: boolean; readonly ends: boolean }

/** What is code already stays it, unless something before it takes its first tick away. */
export function besideCode(line: string, plain: (part: string, at: Place) => string): string {
  const parts = line.split(/(`[^`]+`)/)
  const bare = (part: string, index: number): string =>
    (index < parts.length - 1 ? part.replace(/\\+$/, '') : part).replaceAll('`', "'")
  const done = parts.map((part, index) =>
    index % 2 === 1 ? part : plain(bare(part, index), { begins: index === 0, ends: index === parts.length - 1 }),
  )
  return done.join('').replaceAll('``', '` `')
}

/** Words that act and stand beside each other become one piece of code. */
function wordsInert(text: string, acts: Acts, { begins, ends }: Place): string {
  const pieces = text.split(/(\s+)/)
  const first = pieces.findIndex((piece) => piece.trim() !== '')
  const last = pieces.findLastIndex((piece) => piece.trim() !== '')
  const act = pieces.map(
    (piece, index) =>
      (acts(piece) && !botLogin.test(piece)) ||
      (begins && index === first && beginning.test(piece)) ||
      (ends && index === last && ending.test(piece)),
  )
  const isCode = act.map(
    (acts, index) => acts || (index % 2 === 1 && act[index - 1] === true && act[index + 1] === true),
  )
  const tick = (index: number, beside: number): string => (isCode[index] === true && isCode[beside] !== true ? '`' : '')
  return pieces.map((piece, index) => `${tick(index, index - 1)}${piece}${tick(index, index + 1)}`).join('')
}
