// Texts that were made to hurt whoever reads them: one per weakness that a reader may have, each as long as it may be.

/** Signs that Markdown gives a meaning, to be repeated. */
export const markdownUnits: readonly string[] = [
  '- ', '> ', '* ', '1. ', '- x\n', '> x\n', '*', '_ ', '`', '<', '<a ', '<!--', '<?', '[', '[]', '![', '](', '&', '&a',
  '\\', ' ', '\t', '#', '# ', '=\n', '-\n', '~~~\n', '```\n', '[a]: b\n', '[a', '[a]: <', '(', '|', 'a|b\n-|-\n', '*a_',
  '\n', '\n ', '    x\n', '- - ', '1) ', '- * ', '> - ', ' -', '*\t', '<div>\n', '</', '<![CDATA[', '\r', '\0',
  '[a](b', '[a](<b', '[a](b "', '"', '``` `', '*-', '- a\n\n', '- a\n  - b\n', '  * ', '1.\n', '[^a]: ', '***',
  '* * x ', 'countersign', '/status ', '/x\n', '<blockquote>', 'On 1 wrote', '|-', '<!-- -->',
] // prettier-ignore

export const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Policies, all of which can be read or refused. */
export const hostilePolicies = (length: number): readonly string[] => [
  ...['- ', '? ', '[', '{', ']', 'a: ', '&a *a ', '"', "'", '|\n', '>\n ', '!a ', '# ', '%', 'a: 1\n', 'a:\n', '\t', '- - ']
    .map((unit) => repeated(unit, length)),
  aliasBomb,
  patterns(length, (index) => `${'*a'.repeat(20)}${index}`),
  patterns(length, (index) => `{${Array.from({ length: 15 }, (_, part) => `a*${part}`).join()}}${index}`),
  `verification: { verifier: { kind: response_pattern, pass_pattern: '${'x{1000}'.repeat(60)}' } }`.slice(0, length),
  `verification: { verifier: { criteria: "${repeated('- ', length - 60)}" } }`,
] // prettier-ignore

const aliasBomb = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]',
  'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]',
  'd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]',
  'e: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]',
].join('\n')

function patterns(length: number, pattern: (index: number) => string): string {
  const lines = ['scope:', '  write:']
  for (let index = 0, size = 0; size < length - 100; index += 1) {
    const line = `    - "${pattern(index)}"`
    size += line.length + 1
    lines.push(line)
  }
  return lines.join('\n')
}
