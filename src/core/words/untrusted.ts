// Text that somebody else wrote, set apart in Markdown: as a code span, a fence or a quote. Whatever it contains, it
// cannot leave the place it was put in, mention anybody or hide what follows.
import { visible } from '../visible.ts'

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** One line of code. */
export function codeSpan(text: string): string {
  const line = visible(text).replace(/\s+/gu, ' ').trim()
  const ticks = '`'.repeat(longestRun(line) + 1)
  return ticks.length === 1 && line !== '' ? `\`${line}\`` : `${ticks} ${line} ${ticks}`
}

/** A fence that is longer than any run of backticks within. */
export function fenced(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${ticks}${language}\n${text}\n${ticks}`
}

export function quoted(text: string): string {
  const safe = visible(text).replaceAll('@', '@\u200b').replaceAll('<!--', '&lt;!--')
  return safe
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
