// Whether text is Python, which only an interpreter can tell. Without one that is said, and nothing is claimed.
import type { TextFlaw } from '../text.ts'
import type { Workspace } from '../workspace.ts'
import { wordsOf } from '../../../core/error-words.ts'

export type PythonReading = { readonly flaw: TextFlaw | null } | { readonly notParsed: string }

export async function readPython(text: string, parse: Workspace['parsePython']): Promise<PythonReading> {
  if (parse === undefined) return { notParsed: 'there is no interpreter here' }
  try {
    const flaw = await parse(text)
    return { flaw: flaw === null ? null : { ...flaw, line: Math.max(1, flaw.line), column: null } }
  } catch (error) {
    return { notParsed: wordsOf(error) }
  }
}

const encoding = /^[ \t\f]*#[^\n]{0,200}?coding[:=][ \t]*([-_.a-zA-Z0-9]{1,40})/

/** Python may say on one of its first two lines that it is written in another encoding than UTF-8. */
export function otherEncoding(bytes: Uint8Array): string | null {
  const lines = new TextDecoder('latin1').decode(bytes.subarray(0, 1000)).split('\n', 2)
  const named = lines.map((line) => encoding.exec(line)?.[1]).find((name) => name !== undefined)
  return named === undefined || /^utf[-_]?8/i.test(named) ? null : named
}
