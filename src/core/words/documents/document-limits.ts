// How much of everything stands in the document of an attempt: less and less, until it has room in a comment beside the
// words for people.
import { upTo, visible } from '../../visible.ts'
import { redact } from '../text/redact.ts'

export type DocumentLimits = {
  /** Of a sentence, a quote or a name. */
  readonly text: number
  /** Of what a check printed, and of the change. */
  readonly longText: number
  /** Of anything that there are many of. */
  readonly listed: number
}

const LIST_PARTS_MAX = 100
const BEYOND = 1_000

export const documentLimits: readonly DocumentLimits[] = [
  { text: 600, longText: 20_000, listed: LIST_PARTS_MAX },
  { text: 400, longText: 6_000, listed: 40 },
  { text: 300, longText: 2_000, listed: 20 },
  { text: 200, longText: 500, listed: 10 },
  { text: 100, longText: 100, listed: 5 },
  { text: 40, longText: 0, listed: 2 },
]

export type Cutter = {
  readonly text: (field: string, text: string) => string
  readonly longText: (field: string, text: string) => string
  readonly list: <One, Shown>(field: string, all: readonly One[], show: (one: One) => Shown) => Shown[]
  /** The fields that something was cut from, and these. */
  readonly cuts: (more: readonly string[]) => string[]
}

export function cutter(limits: DocumentLimits): Cutter {
  const cuts = new Set<string>()
  const cutTo = (max: number, field: string, text: string): string => {
    // What is cut off costs nothing; a secret that the end of this would part is still one.
    const whole = redact(text.slice(0, max + BEYOND)).replaceAll('\r\n', '\n')
    if (whole.length <= max) return visible(whole)
    cuts.add(field)
    return `${visible(upTo(whole, max))} [... cut]`
  }
  return {
    text: (field, text) => cutTo(limits.text, field, text),
    longText: (field, text) => cutTo(limits.longText, field, text),
    list: (field, all, show) => {
      if (all.length > limits.listed) cuts.add(field)
      return all.slice(0, limits.listed).map(show)
    },
    cuts: (more) => [...new Set([...more, ...cuts])].sort(),
  }
}
