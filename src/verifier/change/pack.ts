// Which lines of a change are shown, in how many pieces, and what is not: every added and removed line counts one. What
// does not fit is named, never cut; a deletion is a line like any other.
import { digest } from '../../core/canonical.ts'
import { matchesAny } from '../../core/contract/glob.ts'
import { changedIn, hunksOf, type Change, type FileChange } from './change.ts'
import type { Redactor } from '../asking/clean.ts'
import type { ShownExcerpt } from '../context/sight.ts'
import { patchFingerprint } from './fingerprint.ts'
import { generatedDigest } from './generated.ts'
import { DIGESTED_LINES_MIN, lockDigest } from './lock-file.ts'
import {
  presentedDigest,
  presentedFile,
  shownIn,
  withGutters,
  type PresentedFile,
  type ShownHunk,
} from './presented.ts'

export type Coverage = {
  readonly shown: number
  readonly changed: number
  readonly ignored: readonly string[]
  /** Not shown, which the policy allows for these. */
  readonly excused: readonly string[]
  readonly unseen: readonly string[]
  /** From 0 to 1, and below 1 whenever anything was not shown. */
  readonly share: number
  readonly cause: 'coverage' | 'too_large' | null
}
export type Chunk = {
  readonly files: readonly PresentedFile[]
  readonly fingerprint: string
  /** What is shown of the code around it. */
  readonly around: readonly ShownExcerpt[]
}
export type Packed = {
  readonly chunks: readonly Chunk[]
  readonly coverage: Coverage
  readonly manifest: readonly string[]
  readonly fingerprint: string
}
type Limits = {
  readonly protectedPaths: readonly string[]
  /** Files that may go unseen. */
  readonly unseenOk: readonly string[]
  readonly model: string
}

const CHUNKS_MAX = 4
const CHUNK_TOKENS_MAX = 120_000
/** Above 100,000 tokens of prompt this family costs five times as much. */
const CHEAP_CHUNK_TOKENS_MAX = 85_000
/** GitHub lists no more; a listing of exactly this length may be cut. https://docs.github.com/en/rest/pulls/pulls */
export const LISTED_FILES_MAX = 3_000
/** What a line costs beside its text: number, sign and bar. */
const GUTTER_BYTES = 12
const BYTES_PER_TOKEN = 2.5

export const tokensIn = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)
export const tokensOf = (text: string): number => tokensIn(Buffer.byteLength(text))

export const pack = (change: Change, redact: Redactor, limits: Limits): Packed => packing(change, redact, limits).packed

/** A file, or a piece of one, that is shown; `digested`: told in counts and names. */
export type ShownPiece = Pick<Classed, 'file' | 'shown' | 'digested'>

/** What is shown, and of which files its pieces are. */
export function packing(
  change: Change,
  redact: Redactor,
  { protectedPaths, unseenOk, model }: Limits,
): { readonly packed: Packed; readonly pieces: readonly ShownPiece[] } {
  const classed = change.files.map((file) => classify(file, protectedPaths, redact))
  const room = model.includes('haiku') ? CHEAP_CHUNK_TOKENS_MAX : CHUNK_TOKENS_MAX
  const { chunks, omitted } = fill(inOrder(classed, protectedPaths), room)
  const notShown = new Set([...classed.filter(isUnread).map(pathOf), ...omitted])
  const excused = new Set([...notShown].filter((path) => matchesAny(unseenOk, path)))
  const unseen = new Set([...notShown].filter((path) => !excused.has(path)))
  const complete = change.complete && change.files.length < LISTED_FILES_MAX
  const packed = {
    chunks: (chunks.length === 0 ? [[]] : chunks).map((files) => ({
      files: files.map(({ shown }) => shown),
      fingerprint: pieceFingerprint(change, files),
      around: [],
    })),
    coverage: coverageOf(classed, chunks.flat(), { unseen: [...unseen], excused, omitted }, complete),
    manifest: [
      ...classed.map((one) => redact.secrets(manifestLine(one, notShown))),
      ...(complete ? [] : ['and further files that GitHub does not list']),
    ],
    fingerprint: patchFingerprint(change, null),
  }
  return { packed, pieces: chunks.flat() }
}

type Classed = {
  readonly file: FileChange
  readonly shown: PresentedFile
  readonly changed: number
  readonly ignored: boolean
  /** What is said of an ignored file in place of its lines. */
  readonly generated: string
  /** Told in counts and names. */
  readonly digested: boolean
}

/** A patch that was cut has fewer lines than the listing counts, and the missing ones count as changed. */
function classify(file: FileChange, protectedPaths: readonly string[], redact: Redactor): Classed {
  // What is told in few words is cut, and half a secret looks like none.
  const bare = { ...file, patch: file.patch === null ? null : redact.secrets(file.patch) }
  const whole = presentedFile(bare, redact)
  const changed = Math.max(changedIn(whole.hunks), file.additions + file.deletions)
  // A digest of a patch that was cut says nothing of what was cut off.
  const isLong = changed >= DIGESTED_LINES_MIN && changedIn(hunksOf(file.patch ?? '')) >= changed
  const digested = isLong ? lockDigest(bare) : null
  const shown = digested === null ? whole : presentedDigest(file, digested, changed, redact)
  const ignored = file.generated_at_base && file.status !== 'added' && !matchesAny(protectedPaths, file.path)
  const generated = ignored ? generatedDigest(file) : ''
  return { file, shown, changed, ignored, generated, digested: digested !== null }
}

/** Pieces of one file share its fingerprint, and are told apart by their lines. */
function pieceFingerprint(change: Change, files: readonly Classed[]): string {
  const lines = files.map(({ shown }) => shown.hunks.map((hunk) => hunk.lines.map(({ sign, text }) => sign + text)))
  return digest([patchFingerprint(change, new Set(files.map(({ file }) => file.path))), lines])
}

const pathOf = ({ file }: Classed): string => file.path
/** Nothing is taken for seen because it has no lines. */
const isUnread = ({ file, ignored, shown, changed }: Classed): boolean =>
  !ignored && (file.patch === null || shown.changed < changed)

type NotShown = {
  readonly unseen: readonly string[]
  readonly excused: ReadonlySet<string>
  readonly omitted: ReadonlySet<string>
}

function coverageOf(
  classed: readonly Classed[],
  packed: readonly Classed[],
  { unseen, excused, omitted }: NotShown,
  complete: boolean,
): Coverage {
  const counted = classed.filter(({ ignored, file }) => !ignored && !excused.has(file.path))
  const changed = counted.reduce((sum, one) => sum + one.changed, 0)
  const shown = packed.filter(({ file }) => !excused.has(file.path)).reduce((sum, one) => sum + one.shown.changed, 0)
  const tooLarge = unseen.some((path) => omitted.has(path))
  const whole = complete && unseen.length === 0 && shown >= changed
  const share = whole ? 1 : Math.min(0.99, changed === 0 ? 0 : Math.floor((shown / changed) * 100) / 100)
  const cause = whole ? null : tooLarge || !complete ? 'too_large' : 'coverage'
  const ignored = classed.filter((one) => one.ignored).map(pathOf)
  const named = complete ? unseen : [...unseen, 'files beyond the listing']
  return { shown, changed, ignored, excused: [...excused], unseen: named, share, cause }
}

const ranks = [
  /\.(test|spec)\.|(^|\/)(tests?|__tests__|spec)\//i,
  /\.(json|ya?ml|toml|ini|cfg|lock|xml)$/i,
  /\.(md|rst|txt|adoc)$/i,
]

/** Protected paths, source, tests, configuration, documentation: if something has to stay out, it is the last. */
function inOrder(classed: readonly Classed[], protectedPaths: readonly string[]): Classed[] {
  const rank = ({ file }: Classed): number =>
    matchesAny(protectedPaths, file.path) ? -1 : ranks.findIndex((pattern) => pattern.test(file.path)) + 1
  const shown = classed.filter(({ ignored, shown: { hunks } }) => !ignored && hunks.length > 0)
  return shown.toSorted((one, other) => rank(one) - rank(other))
}

/** A file is split only when it alone is too big, and then between its hunks. */
function fill(files: readonly Classed[], room: number): { chunks: Classed[][]; omitted: Set<string> } {
  const chunks: Classed[][] = []
  const omitted = new Set<string>()
  let used = room
  for (const one of files.flatMap((file) => pieces(file, room))) {
    const size = sizeOf(one.shown.hunks)
    if (used + size > room && chunks.length < CHUNKS_MAX && size <= room) {
      chunks.push([])
      used = 0
    }
    if (used + size > room) omitted.add(one.file.path)
    else {
      chunks.at(-1)?.push(one)
      used += size
    }
  }
  return { chunks, omitted }
}

function pieces(one: Classed, room: number): Classed[] {
  if (sizeOf(one.shown.hunks) <= room) return [one]
  const groups: ShownHunk[][] = []
  for (const hunk of one.shown.hunks) {
    const last = groups.at(-1)
    if (last !== undefined && sizeOf([...last, hunk]) <= room) last.push(hunk)
    else groups.push([hunk])
  }
  return groups.map((hunks) => {
    return { ...one, shown: { ...one.shown, hunks, changed: shownIn(hunks) } }
  })
}

const sizeOf = (hunks: readonly ShownHunk[]): number =>
  hunks.reduce((sum, { lines }) => {
    const bytes = lines.reduce((total, { text }) => total + Buffer.byteLength(text) + GUTTER_BYTES, 0)
    return sum + Math.ceil(bytes / BYTES_PER_TOKEN)
  }, 0)

function manifestLine(one: Classed, notShown: ReadonlySet<string>): string {
  const { file, shown, changed, ignored, generated, digested } = one
  const moved = file.previous_path === null ? '' : `, was ${JSON.stringify(file.previous_path)}`
  const mode = file.mode === null ? '' : `, mode ${file.mode}`
  const size =
    file.content === 'text' ? '' : `, ${file.content}, ${file.size ?? 'unknown'} bytes, ${file.blob_sha ?? ''}`
  const told = digested ? ', in counts and names' : ''
  const seen = ignored ? `, generated, not shown: ${generated}` : notShown.has(file.path) ? notSeen(shown) : ''
  return `${JSON.stringify(file.path)}: ${file.status}, ${changed} changed lines${moved}${mode}${size}${told}${seen}`
}

const notSeen = ({ hunks }: PresentedFile): string => (hunks.length === 0 ? ', not shown' : ', not shown whole')

export const diffText = ({ hunks }: PresentedFile): string => hunks.map(withGutters).join('\n')
