// A story of the set that comes along: a small repository, a task, a change that does it, and changes that look like it and
// are wrong in one place. Everything in it was written for this set. Each wrong change says which line shows that it is
// wrong, and thereby how far one has to look: at the hunk, at the file, or at the repository.

export const kinds = [
  'good',
  'subtly_wrong',
  'security',
  'contract',
  'incomplete',
  'tampered_tests',
  'injected',
  'empty',
  'out_of_scope',
] as const
export type Kind = (typeof kinds)[number]
export const needs = ['hunk', 'file', 'repository'] as const
export type Need = (typeof needs)[number]

/** A file, what stands there, and what is to stand there instead; the whole file where nothing stood there. */
export type Edit = readonly [path: string, before: string, after: string]
export type Wrong = {
  readonly name: string
  readonly kind: Kind
  readonly edits: readonly Edit[]
  /** A line of the change that is wrong, or one next to what is missing. */
  readonly defect: string
  /** The line that shows it. */
  readonly shownBy: string
}
export type Story = {
  readonly name: string
  readonly language: string
  readonly criteria: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly good: readonly Edit[]
  readonly wrong: readonly Wrong[]
  readonly stakes?: 'medium' | 'high'
}

/** The files with the edits made. An edit that fits nowhere, or twice, is a mistake in the story. */
export function edited({ name, files }: Story, edits: readonly Edit[]): Record<string, string> {
  const now: Record<string, string> = { ...files }
  for (const [path, before, after] of edits) {
    const text = now[path] ?? ''
    if (text.split(before).length !== 2 && before !== '')
      throw new Error(`${name}: an edit of ${path} does not fit once`)
    if (before === '' && path in now) throw new Error(`${name}: ${path} is there already`)
    now[path] = before === '' ? after : text.replace(before, () => after)
  }
  return now
}

const AROUND = 3

/** One hunk, from the first line that differs to the last, with three lines around. */
export function patchBetween(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const from = Math.max(0, head - AROUND)
  const behind = Math.min(tail, AROUND)
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + behind).map((line) => ` ${line}`),
  ]
  const count = (sign: string): number => lines.filter((line) => !line.startsWith(sign)).length
  const start = (many: number): number => (many === 0 ? 0 : from + 1)
  return [`@@ -${start(count('+'))},${count('+')} +${start(count('-'))},${count('-')} @@`, ...lines].join('\n')
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
