// Small changes to JavaScript text, one at a time: those that change what it does, and those that cannot. Whether a text is
// still a program, and whether anybody notices, is for others to say.
export type Edit = { readonly line: number; readonly was: string; readonly becomes: string }

const swaps: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \+= /g, ' -= '],
  [/\+\+/g, '--'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\b0\b/g, '1'],
  [/\b1\b/g, '0'],
  [/(?<=\()!(?=\w)/g, ''],
  [/(?<=\bif \()(?=\w)/g, '!'],
]

/** Each of them changes what the text does, unless it is in a place that is never reached. */
export function mutationsOf(text: string): Edit[] {
  const masked = codeOnly(text).split('\n')
  return text.split('\n').flatMap((was, index) =>
    swaps.flatMap(([pattern, other]) =>
      [...(masked[index] ?? '').matchAll(pattern)].map(({ index: at, 0: found }) => {
        return { line: index + 1, was, becomes: was.slice(0, at) + other + was.slice(at + found.length) }
      }),
    ),
  )
}

const RESULT = 'answer'

/** None of them changes what the text does: a value gets a name before it is returned, or a comparison is turned round. */
export function rewritesOf(text: string): Edit[] {
  const masked = codeOnly(text).split('\n')
  const isFree = !new RegExp(`\\b${RESULT}\\b`).test(text)
  return text.split('\n').flatMap((was, index): Edit[] => {
    const code = masked[index] ?? ''
    const line = index + 1
    const turned = was.replace(/(\(|&& |\|\| )([a-z]\w*) (===|!==) ([a-z]\w*)(\)| &&| \|\|)/, '$1$4 $3 $2$5')
    const isWhole = /^\s+return [\w.]+\([^()]*\);?$/.test(was) && !/\bsuper\b|\byield\b/.test(was)
    const named = was.replace(/^(\s+)return (.+?);?$/, `$1const ${RESULT} = $2\n$1return ${RESULT}`)
    return [
      ...(code === was && turned !== was ? [{ line, was, becomes: turned }] : []),
      ...(isFree && isWhole && opensBlock(masked[index - 1]) ? [{ line, was, becomes: named }] : []),
    ]
  })
}

/** A return that depends on a head without braces would no longer do so. */
const opensBlock = (before = ''): boolean => /(?:[{;}\w\]\0]|^)\s*$/.test(before) && !/\b(?:else|do)\s*$/.test(before)

export const edited = (text: string, { line, becomes }: Edit): string =>
  text.split('\n').with(line - 1, becomes).join('\n') // prettier-ignore

/** The text with all that is no code blanked, letter by letter, so that places stay where they are. */
function codeOnly(text: string): string {
  const noCode = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?;]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/\w*/g // prettier-ignore
  return text.replace(noCode, (found) => found.replace(/[^\n]/g, '\u0000'))
}
