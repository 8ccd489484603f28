// How a source file looks from the outside: its name, its size, how it opens, and words that do not belong in it.
// One sentence per broken rule.

export const linesMax = 300

const vagueWord = /^(utils?|helpers?|managers?|services?)$/
const unfinished = [
  [/\bFIX(?:ME)\b|\bTO(?:DO)\b/, 'it leaves work for later; do it now, or open an issue'],
  [/@ts-(?:ignore|nocheck|expect-error)/, 'it silences the compiler; say what the type is'],
  [/\b(?:test|it|describe)\.only\b/, 'it runs one test and hides the others'],
] as const

export function nameProblems(path: string): readonly string[] {
  const segments = path.split('/')
  const file = segments.at(-1) ?? ''
  const words = path.split(/[/.-]/)
  return [
    ...(segments.every((segment) => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(segment)) ? [] : [`${path} is not kebab-case`]),
    ...words.filter((word) => vagueWord.test(word)).map((word) => `${path} says \`${word}\`; name it by its subject`),
    ...(file === 'index.ts' ? [`${path} is a barrel; import from the file that has it`] : []),
  ]
}

export function textProblems(path: string, source: string): readonly string[] {
  const lines = source.replace(/\n$/, '').split('\n')
  const shipped = /^(src|action)\//.test(path)
  const opening = lines.find((line) => line.trim() !== '' && !line.startsWith('#!')) ?? ''
  const exportsDefault = /^export default\b|^export \{[^}]*\bas default\b/m.test(source)
  return [
    ...(lines.length > linesMax
      ? [`${path} has ${lines.length} lines; ${linesMax} is the most, so split it by subject`]
      : []),
    ...(shipped && !/^\/\/ \S/.test(opening) ? [`${path} does not open with a \`//\` comment that says its job`] : []),
    ...(exportsDefault && !path.endsWith('.config.ts') ? [`${path} has a default export; give it a name`] : []),
    ...lines.flatMap((line, index) =>
      unfinished.filter(([pattern]) => pattern.test(line)).map(([, why]) => `${path}:${index + 1}: ${why}`),
    ),
  ]
}
