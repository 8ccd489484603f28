// Everything that a check started ends with it, also what left its process group. A check carries two marks that its
// descendants inherit: a word in the environment, which they can take off, and a limit of the kernel that is a little
// lower than ours, which only the superuser can raise. https://man7.org/linux/man-pages/man2/getrlimit.2.html
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Home } from './home.ts'
import { carries, limitOf, processes, processOf, type Process } from './processes.ts'

export type Mark = {
  /** `NAME=value`. */
  readonly word: string
  /** Null where this system has no such limit, or leaves no room below ours. */
  readonly limit: number | null
}
export type Descendants = {
  readonly home: Home
  /** Another one for each run of a check. */
  readonly mark: () => Mark
  /** Ends what carries the mark. */
  readonly end: (mark: Mark) => Promise<void>
  /** Ends whatever is left of all of them. Gives how many processes could not be ended. */
  readonly endAll: () => Promise<number>
}

export const markName = 'COUNTERSIGN_CHECK'
/** What a check may have: nobody needs a queue of the last few hundred kilobytes. */
const SPREAD = 250_000
/** Something that starts others faster than it can be ended does so for two seconds, and is then told of. */
const ROUNDS_MAX = 100
const pauseMs = 20

export function descendants(home: Home): Descendants {
  const own = limitOf('self')
  const marks: Mark[] = []
  return {
    home,
    mark: () => {
      const mark = { word: `${markName}=${randomUUID()}`, limit: limitBelow(own) }
      marks.push(mark)
      return mark
    },
    end: async (mark) => void (await ended(() => younger().filter((one) => hasMark(one, [mark])), home)),
    endAll: async () => {
      await home.sweep()
      return ended(() => withOrphans(marks, own, home), home)
    },
  }
}

function limitBelow(own: number | null): number | null {
  if (own === null) return null
  const from = Math.min(own, 2 ** 40)
  return from > 2 * SPREAD ? from - randomInt(1, SPREAD) : null
}

/** Again and again, until nothing is found. */
async function ended(find: () => readonly Process[], home: Home): Promise<number> {
  let found = find()
  for (let round = 0; found.length > 0 && round < ROUNDS_MAX; round += 1) {
    await home.signal(targetsOf(found), 'SIGKILL')
    if (round > 0) await delay(pauseMs)
    found = find()
  }
  return found.length
}

/** A group is ended at one blow, so nothing in it can start another meanwhile. It is never one of our own session. */
function targetsOf(found: readonly Process[]): number[] {
  const ours = processOf('self')?.session
  const groups = found.filter(({ session }) => session !== ours).map(({ group }) => -group)
  return [...new Set([...groups, ...found.map(({ pid }) => pid)])]
}

const hasMark = ({ pid }: Process, marks: readonly Mark[]): boolean => {
  const limit = limitOf(pid)
  return marks.some((mark) => (limit !== null && limit === mark.limit) || carries(pid, mark.word))
}

/** They began after us, or they could not be of ours. */
function younger(): Process[] {
  const self = processOf('self')
  return self === null ? [] : processes().filter(({ pid, started }) => pid !== self.pid && started >= self.started)
}

/**
 * A check can lower its limit further, so that it is no longer the one that it was given. Then it is known by having a
 * lower one than ours and having lost its parents to one of our own forebears, and so are all that it started.
 */
function withOrphans(marks: readonly Mark[], own: number | null, { owns }: Home): Process[] {
  const all = younger()
  const found = new Map(all.filter((one) => owns(one) || hasMark(one, marks)).map((one) => [one.pid, one]))
  if (own === null || marks.length === 0) return [...found.values()]
  const forebears = forebearsOf(processOf('self'))
  const others = limitsOfOthers(own, forebears)
  const lower = all.filter((one) => {
    const limit = limitOf(one.pid)
    return !found.has(one.pid) && limit !== null && limit < own && !others.has(limit)
  })
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const one of lower) if (forebears.has(one.parent) || found.has(one.parent)) found.set(one.pid, one)
  }
  return [...found.values()]
}

/**
 * Another run on the same machine gives its checks such limits too. They begin below a process that has none and that is
 * no forebear of ours, which nothing that our checks leave behind can have.
 */
function limitsOfOthers(own: number, forebears: ReadonlySet<number>): ReadonlySet<number> {
  const known = processes().map((one) => ({ ...one, limit: limitOf(one.pid) ?? own }))
  const free = new Set(known.filter(({ limit }) => limit >= own).map(({ pid }) => pid))
  const ours = processOf('self')?.pid
  const roots = known.filter(({ limit, parent }) => limit < own && free.has(parent))
  return new Set(roots.filter(({ parent }) => parent !== ours && !forebears.has(parent)).map(({ limit }) => limit))
}

function forebearsOf(self: Process | null): ReadonlySet<number> {
  const found = new Set([0, 1])
  for (let one = self; one !== null && !found.has(one.parent); one = processOf(one.parent)) found.add(one.parent)
  return found
}
