// Text that somebody else wrote, made harmless where it stands between our own words: it mentions nobody, closes no
// issue, opens no comment, and cannot pose as one of our markers.

const NEUTRAL_MAX = 500
const breaker = '\u200b'

/** One line, at most NEUTRAL_MAX characters. */
export function neutralLine(text: string, max: number = NEUTRAL_MAX): string {
  const line = neutral(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}

export function neutral(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', `@${breaker}`)
    .replaceAll(/#(?=\d)/g, `#${breaker}`)
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/(https?):\/\//gi, `$1${breaker}://`)
}
