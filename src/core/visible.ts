// Text that hides nothing: characters that people cannot see, or that reorder what they see, become visible marks.

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu

/** The text with U+FFFD for each control, zero-width, bidirectional or broken character. Newline and tab stay. */
export const visible = (text: string): string => text.replace(hidden, '\u{fffd}')

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
