// The log of the process, on its standard output. The disk behind that may be full, and whoever reads it may be gone or have stopped
// to: what cannot be written is left out and counted, and keeps the App from nothing.
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { pino, type DestinationStream, type Logger } from 'pino'
import { wordsOf } from '../../../core/error-words.ts'

const OUTPUT = 1
const AGAIN_MS = 1_000
/** What waits for a reader who is slow. */
const BEHIND_BYTES_MAX = 4_000_000

/** Throws where it cannot be written now. */
type Put = (text: string) => void

export const appLog = (level: string): Logger =>
  pino({ level }, patient(process.stdout instanceof Socket ? toReader(process.stdout) : toFile(OUTPUT)))

/** Once something could not be written, nothing is tried for a while; what comes next says how much is missing. */
export function patient(put: Put, now: () => number = () => performance.now()): DestinationStream {
  let [missing, why, againAt] = [0, '', -Infinity]
  return {
    write: (line) => {
      if (now() >= againAt) {
        try {
          put(missing === 0 ? line : `${gap(missing, why)}\n${line}`)
          missing = 0
          return
        } catch (error) {
          why = wordsOf(error)
          againAt = now() + AGAIN_MS
        }
      }
      missing += 1
    },
  }
}

const gap = (lines: number, why: string): string =>
  JSON.stringify({ level: 40, time: Date.now(), msg: `of the log ${lines} lines are missing here: ${why}` })

/** A pipe or a terminal, which Node never waits for. */
function toReader(stream: Socket): Put {
  stream.on('error', () => undefined)
  return (text) => {
    if (stream.destroyed) throw new Error('whoever read it is gone')
    if (stream.writableLength > BEHIND_BYTES_MAX) throw new Error('whoever reads it does not keep up')
    stream.write(text)
  }
}

/** A line that was cut off ends where the next one begins. */
export function toFile(fd: number, write: (fd: number, bytes: Buffer, at: number) => number = writeSync): Put {
  let isTorn = false
  return (text) => {
    const bytes = Buffer.from(isTorn ? `\n${text}` : text)
    for (let at = 0; at < bytes.length; isTorn = at < bytes.length) at += write(fd, bytes, at)
  }
}
