// Text that hides nothing: characters that people cannot see, or that reorder what they see, become visible marks, and
// what steers a terminal is taken out where a terminal would have obeyed it.

/** Everything that shows nothing where it stands, for use in a pattern: fillers, selectors, private use and separators too. */
export const unseen = String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800\u034f\u2028\u2029]`

/** Spelled, never deleted: what a deletion leaves can come together to something new. */
export const spelled = (sign: string): string => `⟦${codePoint(sign)}⟧`

/** `U+200B` */
export const codePoint = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Cut between characters, never within one. */
export const upTo = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Emoji with their skins, joined or varied, and keys in their frames: invisible parts of them have work to do. */
export const emoji: readonly RegExp[] = [
  /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?[\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?[\ufe0e\ufe0f]?)*/gu,
  /[\d#*]\ufe0f\u20e3/gu,
]

const keptOrHidden = new RegExp(`(${emoji.map(({ source }) => source).join('|')})|${unseen}`, 'gu')

/** The text with U+FFFD for each character that shows nothing. Newline, tab and whole emoji stay. */
export const visible = (text: string): string =>
  text.replace(keptOrHidden, (_, kept: string | undefined) => kept ?? '\u{fffd}')

/**
 * What programs write to steer a terminal: colours and movements, titles and links, character sets. Letters that only
 * look like the end of a sequence stay: a sequence without numbers ends in a letter that no word goes on from, unless it
 * is a colour or an erased line, which stand before words all the time.
 */
const escape = String.fromCodePoint(27)
const bell = String.fromCodePoint(7)
const sequences = [
  // Colours and movements
  String.raw`\[(?:[\d:;<=>?]{1,64}[ -/]{0,4}[@-~]|[mK]|[A-HJSTfhlsu](?![A-Za-z]))`,
  // Titles and links, which end in their own line
  String.raw`\][^${bell}${escape}\n\r]{0,2048}(?:${bell}|${escape}\\)`,
  // Character sets, and what takes no more than one sign
  String.raw`[()*+][0-9A-Z]|[=>78cDEHMNOZ](?![A-Za-z])`,
]
const steering = new RegExp(`${escape}(?:${sequences.join('|')})`, 'g')

export const withoutSteering = (text: string): string => text.replace(steering, '')
