// Whether text is TOML, as the parser library sees it.
import { parse, TomlError } from 'smol-toml'
import type { TextFlaw } from '../text.ts'

const NESTING_MAX = 100

export function tomlFlaw(text: string): TextFlaw | null {
  try {
    parse(text, { integersAsBigInt: 'asNeeded', maxDepth: NESTING_MAX })
    return null
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The parser adds the lines around, which belong to whoever shows the message.
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)
    return { line: error.line, column: error.column, message: `${message.replace(/[.:]$/, '')}.` }
  }
}
