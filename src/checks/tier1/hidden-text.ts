// Characters that people cannot see, or take for others, in what a change adds: controls that reorder what is read,
// tags, zero width, and letters of another script that look Latin. Emoji and the marks that scripts need are left alone.
import { codePoint, emoji } from '../../core/visible.ts'
import type { Finding, Severity } from './finding.ts'
import type { PatchLine } from './patch.ts'

type Kind = { readonly severity: Severity; readonly words: string }
const reordering: Kind = { severity: 'HIGH', words: 'reorders the text around it' }
const tag: Kind = { severity: 'HIGH', words: 'spells text that nobody can see' }
const inWord: Kind = { severity: 'MEDIUM', words: 'is invisible and makes a word another word' }
const lookalike: Kind = { severity: 'MEDIUM', words: 'looks like a Latin letter within a Latin word, and is none' }
const invisible: Kind = { severity: 'LOW', words: 'is invisible' }
const direction: Kind = { severity: 'LOW', words: 'sets the direction of the text around it' }
const control: Kind = { severity: 'LOW', words: 'is a control character' }

/** Emoji, joined or varied, the three flags that are spelled with tags, and what other scripts join and vary. */
// prettier-ignore
const legitimate = [
  /(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu,
  ...emoji,
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d](?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d_$])/gu,
  /(?<=[\p{Script=Han}\p{Script=Mongolian}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu,
]

const reorders = /[\u202a-\u202e\u2066-\u2069]/u
const directs = /[\u200e\u200f\u061c]/u
const tags = /[\u{e0000}-\u{e007f}]/u
/** Signs that Arabic and its neighbours write with count as format characters, though they can be seen. */
const suspect =
  /(?![\t\n\f\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]|\u034f/gu
const plain = /^[\t\f\r\u0020-\u007e]*$/

/** Letters of an alphabet in which a zero width character has no work to do. */
const western = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d_$]/u
const word = /[\p{L}\p{M}]+/gu
const twin = /[АВЕЅІЈКМНОРСТУХаеорсухіјѕһӏԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/u

/** One finding for each kind on each line. */
export function hiddenText(path: string, lines: readonly PatchLine[]): Finding[] {
  const inName = kindsIn(path).map(([kind, sign]) => findingOf(path, 1, kind, sign, 'The name of this file has'))
  const inText = lines.flatMap(({ line, text }) =>
    kindsIn(line === 1 ? text.replace(/^\ufeff/, '') : text).map(([kind, sign]) =>
      findingOf(path, line, kind, sign, 'This line has'),
    ),
  )
  return [...inName, ...inText]
}

function findingOf(path: string, line: number, { severity, words }: Kind, sign: string, where: string): Finding {
  return {
    path,
    line,
    severity,
    category: 'hidden_text',
    message: `${where} a character, ${codePoint(sign)}, that ${words}.`,
  }
}

function kindsIn(text: string): [Kind, string][] {
  if (plain.test(text)) return []
  const bare = legitimate.reduce((rest, pattern) => rest.replaceAll(pattern, (run) => ' '.repeat(run.length)), text)
  const kinds = new Map<Kind, string>()
  for (const { 0: sign, index } of bare.matchAll(suspect)) {
    const kind = kindOf(
      sign,
      text.slice(Math.max(0, index - 2), index),
      text.slice(index + sign.length, index + sign.length + 2),
    )
    if (!kinds.has(kind)) kinds.set(kind, sign)
  }
  for (const [letters] of text.matchAll(word)) {
    const [sign] = /\p{Script=Latin}/u.test(letters) ? (twin.exec(letters) ?? []) : []
    if (sign !== undefined && !kinds.has(lookalike)) kinds.set(lookalike, sign)
  }
  return [...kinds]
}

function kindOf(sign: string, before: string, after: string): Kind {
  if (reorders.test(sign)) return reordering
  if (tags.test(sign)) return tag
  if (directs.test(sign)) return direction
  if (/\p{Cc}/u.test(sign)) return control
  // A variation selector after another varies nothing. It can only carry a message, a few bits at a time.
  if (/\p{Variation_Selector}/u.test(sign) && /\p{Variation_Selector}$/u.test(before)) return tag
  const neighbours = [Array.from(before).at(-1) ?? '', Array.from(after)[0] ?? '']
  return neighbours.some((one) => western.test(one)) ? inWord : invisible
}
