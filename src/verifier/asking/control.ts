// Whether an answer was given by somebody who read: two questions whose answers this program knows, one yes and one no, and
// two changed lines to be copied back. What they are follows from the change and a secret, so that it is the same every
// time and nobody who writes the change can tell. Whoever says yes to everything fails.
import { canonical } from '../../core/canonical.ts'
import { isStructural } from '../change/code-part.ts'
import { isChanged } from '../change/change.ts'
import type { PresentedFile } from '../change/presented.ts'

export type KnownQuestion = { readonly id: string; readonly text: string; readonly answer: 'met' | 'not_met' }
export type KnownLine = {
  readonly path: string
  readonly side: 'old' | 'new'
  readonly line: number
  readonly text: string
}
export type Control = { readonly questions: readonly KnownQuestion[]; readonly lines: readonly KnownLine[] }

const LINES = 2
const CHARACTERS_MIN = 8
const CHARACTERS_MAX = 160
/** The fence that lists all files; it is there whatever a change is. */
const always = 'all files'

/** `draw` is a keyed hash of what is drawn for. */
export function controlOf(files: readonly PresentedFile[], draw: (what: string) => string): Control {
  const names = files.length === 0 ? [always] : [...new Set(files.map(({ path }) => path))]
  const name = names[at(draw('name'), names.length)] ?? always
  const known = [
    { text: asks(name), answer: 'met' },
    { text: asks(unlike(name, draw('other name'))), answer: 'not_met' },
  ] as const
  const ordered = at(draw('order'), 2) === 0 ? known : known.toReversed()
  return {
    questions: ordered.map((one, index) => ({ id: `k${index + 1}.p1`, ...one })),
    lines: drawn(files.flatMap(copyable), draw),
  }
}

/** Another one for each reader of a piece, and for each step. */
export const controlFor = (
  { files, fingerprint }: { readonly files: readonly PresentedFile[]; readonly fingerprint: string },
  reader: string,
  keyed: (text: string) => string,
): Control => controlOf(files, (what) => keyed(`control|${fingerprint}|${reader}|${what}`))

const asks = (name: string): string => `Is there a code-diff with the name ${JSON.stringify(name)}?`

/** Nobody can have a file of this name by chance. */
const unlike = (name: string, hex: string): string =>
  name.replace(/(\.[^./]*)?$/, (ending) => `_${hex.slice(0, 6)}${ending}`)

const at = (hex: string, of: number): number => Number.parseInt(hex.slice(0, 8), 16) % of

/** Lines that can be copied as they are shown, and that nobody would guess. */
const copyable = ({ path, hunks }: PresentedFile): KnownLine[] =>
  hunks.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const number = line.sign === '+' ? line.new : line.old
      const text = line.text.trim()
      const fits = text.length >= CHARACTERS_MIN && text.length <= CHARACTERS_MAX && !text.includes('⟦')
      if (!isChanged(line) || number === null || !fits || isStructural(text)) return []
      return [{ path, side: line.sign === '+' ? 'new' : 'old', line: number, text } as const]
    }),
  )

function drawn(from: readonly KnownLine[], draw: (what: string) => string): KnownLine[] {
  const left = [...from]
  return Array.from({ length: Math.min(LINES, left.length) }, (_, nth) =>
    left.splice(at(draw(`line ${nth}`), left.length), 1),
  ).flat()
}

/** As it is shown: the questions like any others, and the places without their text. */
export const controlText = ({ questions, lines }: Control): string =>
  [
    ...questions.map(({ id, text }) => canonical({ id, polarity: 'presence', conditional: false, text })),
    ...lines.map(({ path, side, line }) => canonical({ copy: { path, side, line } })),
  ].join('\n')

export const isControl = ({ id }: { readonly id: string }): boolean => /^k\d\.p1$/.test(id)

type Given = {
  readonly probes: readonly { readonly id: string; readonly answer: string }[]
  readonly copied: readonly {
    readonly path: string
    readonly side: string
    readonly line: number
    readonly quote: string
  }[]
}
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** What is wrong with it, in words that tell nobody what would be right. */
export function controlFlaws({ questions, lines }: Control, { probes, copied }: Given): string[] {
  const right = questions.every(({ id, answer }) => {
    const said = probes.filter((probe) => probe.id === id)
    return said.length > 0 && said.every((probe) => probe.answer === answer)
  })
  const read = lines.every(({ path, side, line, text }) =>
    copied.some(
      (one) => one.path === path && one.side === side && one.line === line && spaced(one.quote) === spaced(text),
    ),
  )
  return [
    ...(right ? [] : ['A question under Control is answered wrongly or not at all.']),
    ...(read ? [] : ['A line under Control is not copied as it is shown.']),
  ]
}
