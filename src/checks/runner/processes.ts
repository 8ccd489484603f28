// The processes of this machine, as Linux tells of them: who started whom, when, and by which marks they can be known.
// Other systems tell less, and there is nothing to read there.
import { readdirSync, readFileSync } from 'node:fs'

export type Process = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** In ticks since the machine started. */
  readonly started: number
}

/** Those that are alive. One that is dead and waits for its parent to ask is not. */
export function processes(): Process[] {
  return names().flatMap((name) => {
    const found = processOf(name)
    return found === null ? [] : [found]
  })
}

function names(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

export function processOf(name: number | string): Process | null {
  const text = textOf(name, 'stat')
  // A program may be called anything, so what counts begins behind the last parenthesis.
  const [state = 'X', parent, group, session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (text === '' || state === 'Z' || state === 'X') return null
  const [pid, started] = [Number.parseInt(text, 10), Number(rest[15])]
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started }
}

/** As whom it runs. Null where that is not told. */
export function uidOf(pid: number): number | null {
  const [, uid] = /^Uid:\t(\d+)/m.exec(textOf(pid, 'status')) ?? []
  return uid === undefined ? null : Number(uid)
}

/** The number that nobody but the superuser can raise again. Null where it is not told. */
export function limitOf(pid: number | 'self'): number | null {
  const [, hard = ''] = /^Max msgqueue size +\S+ +(\S+)/m.exec(textOf(pid, 'limits')) ?? []
  if (hard === 'unlimited') return Infinity
  return /^\d+$/.test(hard) ? Number(hard) : null
}

/** Whether it was started with this word in its environment, and has not hidden it since. */
export const carries = (pid: number, word: string): boolean => textOf(pid, 'environ').includes(word)

function textOf(pid: number | string, what: 'stat' | 'status' | 'limits' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1')
  } catch {
    return ''
  }
}
