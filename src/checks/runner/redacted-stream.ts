// Bytes of a running program to text without secrets, piece by piece. A secret may arrive in two pieces, so what is told
// ends with a line, and an unfinished line or key is kept back until more follows. Bytes that are no UTF-8 become U+FFFD.
import { SECRET_LENGTH_MAX, secretSpans, withoutSpans } from '../../core/words/text/redact.ts'

export type RedactedStream = {
  readonly push: (bytes: Uint8Array) => void
  /** No more bytes will come: tells what was kept back. */
  readonly end: () => void
}

/** A line may go on for ever; the longest secret may not. */
const WAITING_LENGTH_MAX = 4 * SECRET_LENGTH_MAX

export function redactedStream(secrets: readonly string[], tell: (text: string) => void): RedactedStream {
  const decoder = new TextDecoder('utf-8')
  let waiting = ''
  return {
    push: (bytes) => {
      waiting += decoder.decode(bytes, { stream: true })
      const cut = settledLength(waiting)
      if (cut === 0) return
      const { told, kept } = split(waiting, cut, secrets)
      waiting = kept
      if (told !== '') tell(told)
    },
    end: () => {
      const rest = waiting + decoder.decode()
      waiting = ''
      if (rest !== '') tell(withoutSpans(rest, secretSpans(rest, secrets)))
    },
  }
}

/** How much of the text no secret can still grow into. */
function settledLength(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  const key = text.lastIndexOf('-----BEGIN ')
  const settled = key !== -1 && isOpenKey(text, key) ? Math.min(line, key) : line
  return text.length > WAITING_LENGTH_MAX ? Math.max(settled, text.length - SECRET_LENGTH_MAX) : settled
}

function isOpenKey(text: string, key: number): boolean {
  const end = text.indexOf('-----END ', key)
  return end === -1 || text.indexOf('-----', end + '-----END '.length) === -1
}

/** Never within a secret. */
function split(
  text: string,
  wanted: number,
  secrets: readonly string[],
): { readonly told: string; readonly kept: string } {
  const spans = secretSpans(text, secrets)
  const within = spans.find(({ start, end }) => start < wanted && wanted < end)
  // A secret that everything begins with may still grow; one that is longer than any is told as it is.
  const whole = text.length > WAITING_LENGTH_MAX ? (within?.end ?? 0) : 0
  const cut = within === undefined ? wanted : within.start > 0 ? within.start : whole
  const told = withoutSpans(
    text.slice(0, cut),
    spans.filter(({ end }) => end <= cut),
  )
  return { told, kept: text.slice(cut) }
}
