// Text that hides nothing: characters that people cannot see, or that reorder what they see, become visible marks.

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu

/** The text with U+FFFD for each control, zero-width, bidirectional or broken character. Newline and tab stay. */
export const visible = (text: string): string => text.replace(hidden, '\u{fffd}')
