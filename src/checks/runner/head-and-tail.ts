// The beginning and the end of a long text within a limit: a quarter for how it began, three quarters for how it ended,
// which is where a failing program says why. Whatever flows through, no more than about twice the limit is held.

export type HeadAndTail = {
  readonly add: (text: string) => void
  readonly text: () => string
  /** How many bytes the text leaves out. */
  readonly omittedBytes: () => number
}

const newline = 10

export function headAndTail(bytesMax: number): HeadAndTail {
  const headMax = Math.floor(bytesMax / 4)
  const tailMax = bytesMax - headMax
  const head: Buffer[] = []
  let headBytes = 0
  let tail: Buffer[] = []
  let tailBytes = 0
  let droppedBytes = 0
  let droppedLines = 0

  /** What lies between the two, gone for good. */
  const drop = (bytes: Buffer): void => {
    droppedBytes += bytes.length
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) droppedLines += 1
  }
  const shorten = (): void => {
    const all = Buffer.concat(tail)
    const cut = characterStart(all, all.length - tailMax)
    drop(all.subarray(0, cut))
    // A copy, so that the rest of the buffer is not kept alive.
    tail = [Buffer.from(all.subarray(cut))]
    tailBytes = all.length - cut
  }
  return {
    add: (text) => {
      const bytes = Buffer.from(text, 'utf8')
      const cut = headBytes < headMax ? characterStart(bytes, Math.min(headMax - headBytes, bytes.length)) : 0
      if (cut > 0) head.push(bytes.subarray(0, cut))
      // Once something did not fit, the head is over, or later text would come before earlier.
      headBytes = cut < bytes.length ? headMax : headBytes + cut
      if (cut === bytes.length) return
      tail.push(bytes.subarray(cut))
      tailBytes += bytes.length - cut
      if (tailBytes > 2 * tailMax) shorten()
    },
    text: () => {
      if (tailBytes > tailMax) shorten()
      const [first, last] = [Buffer.concat(head).toString('utf8'), Buffer.concat(tail).toString('utf8')]
      if (droppedBytes === 0) return first + last
      // Parts of lines count with the line that they belong to.
      const mark = `[... ${Math.max(1, droppedLines)} lines omitted]`
      return `${first}${first.endsWith('\n') ? '' : '\n'}${mark}${last.startsWith('\n') ? '' : '\n'}${last}`
    },
    omittedBytes: () => droppedBytes + Math.max(0, tailBytes - tailMax),
  }
}

/** The nearest position at or after `at` where a character begins. */
function characterStart(bytes: Buffer, at: number): number {
  let start = Math.max(0, at)
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return start
}
