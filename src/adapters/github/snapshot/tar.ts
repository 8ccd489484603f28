// A tar archive read as it comes, in pieces of any length: files and where their bytes are, and nothing else. Links, devices
// and names that lead out of the archive are passed over. What is in it is hostile: each number is held against what may be.
// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html

/** The archive is not what it says. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}

/** `file` begins a file, whose bytes follow; `passed` is an entry that is none. */
export type Piece =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'passed' }
  /** What the archive says of itself; git writes the commit there. */
  | { readonly kind: 'comment'; readonly text: string }

export type TarReader = {
  readonly push: (chunk: Uint8Array) => Iterable<Piece>
  /** Throws where the archive was cut. */
  readonly end: () => void
}

const BLOCK = 512
const EXTENDED_BYTES_MAX = 64 * 1024
const PATH_LENGTH_MAX = 1_000

type State = {
  /** Bytes of a header or an extended header that are not all here yet. */
  held: Buffer
  /** Bytes of the entry that are still to come, and the filling behind them. */
  left: number
  filling: number
  inFile: boolean
  /** An extended header that is being gathered: its type and its length. */
  extended: { readonly type: string; readonly size: number } | null
  next: { path: string | null; size: number | null }
  ended: boolean
}

export function tarReader(): TarReader {
  const state: State = {
    held: Buffer.alloc(0),
    left: 0,
    filling: 0,
    inFile: false,
    extended: null,
    next: { path: null, size: null },
    ended: false,
  }
  return {
    push: (chunk) => pieces(state, chunk),
    end: () => {
      // Some writers leave the two empty blocks at the end away.
      const between = state.left === 0 && state.filling === 0 && state.extended === null && state.held.length === 0
      if (!state.ended && !between) throw new BrokenArchive('the archive was cut')
    },
  }
}

function* pieces(state: State, chunk: Uint8Array): Iterable<Piece> {
  let rest = chunk
  while (rest.length > 0 && !state.ended) {
    if (state.left > 0) {
      const bytes = rest.subarray(0, state.left)
      rest = rest.subarray(bytes.length)
      state.left -= bytes.length
      if (state.inFile) yield { kind: 'bytes', bytes }
      continue
    }
    if (state.filling > 0) {
      const passed = Math.min(state.filling, rest.length)
      rest = rest.subarray(passed)
      state.filling -= passed
      continue
    }
    const wanted = state.extended?.size ?? BLOCK
    const taken = rest.subarray(0, wanted - state.held.length)
    rest = rest.subarray(taken.length)
    state.held = Buffer.concat([state.held, taken])
    if (state.held.length < wanted) continue
    const whole = state.held
    state.held = Buffer.alloc(0)
    yield* state.extended === null ? header(state, whole) : extended(state, state.extended.type, whole)
  }
}

function* header(state: State, block: Buffer): Iterable<Piece> {
  if (block.every((byte) => byte === 0)) {
    state.ended = true
    return
  }
  if (sumOf(block) !== octal(block, 148, 8)) throw new BrokenArchive('a header of the archive is not one')
  const type = String.fromCharCode(block[156] ?? 0)
  const size = state.next.size ?? number(block, 124, 12)
  if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive('an entry of the archive has no size')
  if (['x', 'g', 'L', 'K'].includes(type)) {
    if (size > EXTENDED_BYTES_MAX) throw new BrokenArchive('an entry of the archive has too long a name')
    if (size > 0) state.extended = { type, size }
    return
  }
  const path = inside(state.next.path ?? plainPath(block))
  state.next = { path: null, size: null }
  // Links and folders have no bytes, whatever their size says.
  state.left = ['1', '2', '3', '4', '5', '6'].includes(type) ? 0 : size
  state.filling = fillingOf(state.left)
  state.inFile = (type === '0' || type === '\0') && path !== null
  yield state.inFile && path !== null ? { kind: 'file', path, size } : { kind: 'passed' }
}

function* extended(state: State, type: string, bytes: Buffer): Iterable<Piece> {
  state.extended = null
  state.filling = fillingOf(bytes.length)
  if (type === 'L') state.next.path = bytes.toString('utf8').replace(/\0[\s\S]*$/, '')
  if (type === 'K' || type === 'L') return
  const records = recordsOf(bytes)
  const comment = records.get('comment')
  if (type === 'g') {
    if (comment !== undefined) yield { kind: 'comment', text: comment }
    return
  }
  state.next.path = records.get('path') ?? state.next.path
  const size = records.get('size')
  if (size !== undefined) state.next.size = /^\d{1,15}$/.test(size) ? Number(size) : Number.NaN
}

/** `30 path=a/b\n`, one after the other; the number counts itself. */
function recordsOf(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at)
    const digits = space < 0 ? '' : bytes.toString('latin1', at, space)
    const length = /^\d{1,6}$/.test(digits) ? Number(digits) : 0
    // Whatever does not count itself would be read for ever.
    if (length <= digits.length + 1 || at + length > bytes.length)
      throw new BrokenArchive('an extended header of the archive cannot be read')
    const record = bytes.toString('utf8', space + 1, at + length - 1)
    const equals = record.indexOf('=')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

const fillingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** The sum of all bytes, those of the sum itself taken for blanks. */
const sumOf = (block: Buffer): number =>
  block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)

const textAt = (block: Buffer, from: number, length: number): string =>
  block.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '')

function octal(block: Buffer, from: number, length: number): number {
  const digits = textAt(block, from, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : digits === '' ? 0 : Number.NaN
}

/** Where octal digits do not suffice, the number stands there as it is. */
function number(block: Buffer, from: number, length: number): number {
  if (((block[from] ?? 0) & 0x80) === 0) return octal(block, from, length)
  return [...block.subarray(from + 1, from + length)].reduce((sum, byte) => sum * 256 + byte, 0)
}

function plainPath(block: Buffer): string {
  const [name, prefix] = [textAt(block, 0, 100), textAt(block, 345, 155)]
  const isPosix = textAt(block, 257, 6).startsWith('ustar')
  return isPosix && prefix !== '' ? `${prefix}/${name}` : name
}

/** Below the one folder that everything lies in; null for what would lie elsewhere. */
function inside(path: string): string | null {
  const [top = '', ...steps] = path.split('/')
  const rest = steps.join('/')
  if (top === '' || rest === '' || rest.length > PATH_LENGTH_MAX || rest.includes('\0')) return null
  return steps.some((step) => step === '..' || step === '.' || step === '') ? null : rest
}
