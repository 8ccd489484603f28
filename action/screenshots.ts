// The screenshots that a workflow names, file by file or as folders: images only, through no link, and so many that they
// fit into the artifact beside the results and the logs. They are read once, when nothing of the checks runs any more, and
// the results name each by its page, with what it is.
import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { readFileWithin } from '../src/checks/read-file.ts'
import { realPathWithin } from '../src/checks/within.ts'
import { SCREENSHOTS_MAX, type Screenshot as Named } from '../src/core/decision/results/results-file.ts'

/** `name`: what it is called in the artifact. */
export type Screenshot = {
  readonly name: string
  readonly page: string
  readonly bytes: Buffer
  readonly difference?: Difference
}
/** What differs from an earlier picture, drawn; `before` names that one by its hash. */
export type Difference = { readonly name: string; readonly before: string; readonly bytes: Uint8Array }
export type Screenshots = { readonly images: readonly Screenshot[]; readonly leftOut: number }

/** Of pictures of either kind. */
export const BYTES_MAX = 14 * 1024 * 1024
const ENTRIES_MAX = 5_000
const PAGE_MAX = 200
const image = /\.(?:png|jpe?g|webp|gif)$/i

/** In order. `wanted` are paths within the checkout; a page is called as its file is below the folder that is named. */
export async function findScreenshots(wanted: readonly string[], root: string): Promise<Screenshots> {
  const images: Screenshot[] = []
  let entries = 0
  let room = BYTES_MAX
  let leftOut = 0
  const take = async (home: string, place: string, below: string): Promise<void> => {
    const fits = image.test(place) && images.length < SCREENSHOTS_MAX
    const read = fits ? await readFileWithin(home, [relative(home, place)], room).catch(() => null) : null
    if (read === null) leftOut += 1
    else {
      images.push({ name: nameOf(images.length, place), page: pageOf(place, below), bytes: read.bytes })
      room -= read.bytes.length
    }
  }
  const visit = async (home: string, place: string, below: string): Promise<void> => {
    entries += 1
    const stats = await lstat(place).catch(() => null)
    if (entries > ENTRIES_MAX || stats === null || stats.isSymbolicLink()) return
    if (!stats.isDirectory()) return take(home, place, below)
    const names: string[] = await readdir(place).catch(() => [])
    for (const name of names.toSorted()) await visit(home, join(place, name), below)
  }
  // A check may have taken away the checkout itself.
  const home = await realPathWithin(root).catch(() => null)
  for (const path of wanted) {
    const place = await realPathWithin(root, path).catch(() => null)
    const stats = place === null ? null : await lstat(place).catch(() => null)
    if (home === null || place === null || stats === null) leftOut += 1
    else await visit(home, place, stats.isDirectory() ? place : dirname(place))
  }
  return { images, leftOut }
}

/** A file name of ours, since its own may be anything. */
function nameOf(index: number, place: string): string {
  const name = basename(place, extname(place)).replaceAll(/[^A-Za-z0-9_-]+/g, '-')
  return `screenshots/${String(index + 1).padStart(3, '0')}-${name.slice(0, 60)}${extname(place)}`
}

function pageOf(place: string, below: string): string {
  const path = relative(below, place).split(sep).join('/')
  return path.slice(0, path.length - extname(path).length).slice(0, PAGE_MAX)
}

/** For the results: the bytes lie beside them. */
export const namedIn = (images: readonly Screenshot[]): Named[] =>
  images.map(({ name, page, bytes, difference }) => {
    const named = { page, path: name, bytes: bytes.length, sha256: hashOf(bytes), media_type: mediaTypeOf(bytes) }
    return difference === undefined
      ? named
      : { ...named, difference: { path: difference.name, before: difference.before } }
  })

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** By how it begins: an ending is only a name. */
export function mediaTypeOf(bytes: Buffer): string {
  const begins = (...signs: readonly number[]): boolean => signs.every((sign, index) => bytes[index] === sign)
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (begins(0x47, 0x49, 0x46, 0x38)) return 'image/gif'
  const isRiff = begins(0x52, 0x49, 0x46, 0x46) && bytes.subarray(8, 12).toString('latin1') === 'WEBP'
  return isRiff ? 'image/webp' : 'application/octet-stream'
}
