// Lists on a page: with a title, and never without end.

export const LISTED_MAX = 50

export function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const more = lines.length > LISTED_MAX ? [`and ${lines.length - LISTED_MAX} more`] : []
  return `### ${title}\n${[...lines.slice(0, LISTED_MAX), ...more].map((line) => `- ${line}`).join('\n')}`
}

/** For whoever wants to know more than what there is to do. */
export const folded = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<details><summary>${title}</summary>\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n</details>`
