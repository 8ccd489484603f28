// Text that somebody else wrote, set apart in Markdown: as a code span, a fence or a quote, or as code in HTML. Whatever it
// contains, it cannot leave the place it was put in, mention anybody or hide what follows.
import { upTo, visible } from '../../visible.ts'
import { inertLine } from './neutral.ts'

const SPAN_MAX = 300

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

const oneLine = (text: string): string => {
  const line = visible(upTo(text, 4 * SPAN_MAX).replaceAll(/\s+/g, ' ')).trim()
  return line.length <= SPAN_MAX ? line : `${upTo(line, SPAN_MAX - 1)}…`
}

/** One line of code. */
export function codeSpan(text: string): string {
  const line = oneLine(text)
  const ticks = '`'.repeat(longestRun(line) + 1)
  return ticks.length === 1 && line !== '' ? `\`${line}\`` : `${ticks} ${line} ${ticks}`
}

/** One line of code where Markdown is not read, such as the summary of folded text. */
export const htmlCode = (text: string): string =>
  `<code>${oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</code>`

/** A cell of a table ends at each bar, also within code. */
export const cell = (markdown: string): string => markdown.replaceAll('|', String.raw`\|`)

/** A fence that is longer than any run of backticks within. */
export function fenced(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${ticks}${language}\n${visible(text)}\n${ticks}`
}

export const quoted = (text: string): string =>
  visible(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => `> ${inertLine(line.trim())}`.trimEnd())
    .join('\n')
