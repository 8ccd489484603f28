// Bytes as text, and places in it. Text is UTF-8, with or without a byte order mark; a NUL byte means that it is none.

/** One place in a file. A column that is not known is null. */
export type TextFlaw = { readonly line: number; readonly column: number | null; readonly message: string }

export const isBinary = (bytes: Uint8Array): boolean => bytes.includes(0)

const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\n')
const POINTER_BYTES_MAX = 1024

/** What Git LFS commits in place of a file. https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
export const isPointer = (bytes: Uint8Array): boolean =>
  bytes.length < POINTER_BYTES_MAX && pointer.equals(bytes.subarray(0, pointer.length))

/** The text without its byte order mark, or the first byte that is not UTF-8. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly flaw: TextFlaw } {
  const text = decoded(bytes, false)
  if (text !== null) return { text }
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (decoded(bytes.subarray(0, middle), true) === null) bad = middle
    else good = middle
  }
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, good), { stream: true })
  return { flaw: flawAt(before, before.length, 'This is not UTF-8. Save the file in that encoding.') }
}

/** The beginning of a text may end within a character. */
function decoded(bytes: Uint8Array, isBeginning: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning })
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

export function flawAt(text: string, offset: number, message: string): TextFlaw {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: offset - start + 1, message }
}
