// The screenshots that a workflow names, file by file or as folders: images only, through no link, and so many that they
// fit into the artifact beside the results and the logs. They are read once, when nothing of the checks runs any more.
import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readFileWithin } from '../src/checks/read-file.ts'
import { realPathWithin } from '../src/checks/within.ts'

export type Screenshot = { readonly path: string; readonly bytes: Buffer }
export type Screenshots = { readonly images: readonly Screenshot[]; readonly leftOut: number }

const COUNT_MAX = 100
const BYTES_MAX = 14 * 1024 * 1024
const ENTRIES_MAX = 5_000
const image = /\.(?:png|jpe?g|webp|gif)$/i

/** In order. `wanted` are paths within the checkout. */
export async function findScreenshots(wanted: readonly string[], root: string): Promise<Screenshots> {
  const images: Screenshot[] = []
  let entries = 0
  let room = BYTES_MAX
  let leftOut = 0
  const take = async (home: string, place: string): Promise<void> => {
    const fits = image.test(place) && images.length < COUNT_MAX
    const read = fits ? await readFileWithin(home, [relative(home, place)], room).catch(() => null) : null
    if (read === null) leftOut += 1
    else {
      images.push({ path: place, bytes: read.bytes })
      room -= read.bytes.length
    }
  }
  const visit = async (home: string, place: string): Promise<void> => {
    entries += 1
    const stats = await lstat(place).catch(() => null)
    if (entries > ENTRIES_MAX || stats === null || stats.isSymbolicLink()) return
    if (!stats.isDirectory()) return take(home, place)
    const names: string[] = await readdir(place).catch(() => [])
    for (const name of names.toSorted()) await visit(home, join(place, name))
  }
  // A check may have taken away the checkout itself.
  const home = await realPathWithin(root).catch(() => null)
  for (const path of wanted) {
    const place = await realPathWithin(root, path).catch(() => null)
    if (home === null || place === null) leftOut += 1
    else await visit(home, place)
  }
  return { images, leftOut }
}
