// The screenshots that a workflow names, file by file or as folders: images only, through no link, and so many that they
// fit into the artifact beside the results and the logs.
import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isWithin } from '../src/checks/within.ts'

export type Screenshots = { readonly paths: readonly string[]; readonly leftOut: number }

const COUNT_MAX = 100
const BYTES_MAX = 14 * 1024 * 1024
const ENTRIES_MAX = 5_000
const image = /\.(?:png|jpe?g|webp|gif)$/i

/** Absolute paths, in order. `wanted` are paths within the checkout. */
export async function findScreenshots(wanted: readonly string[], root: string): Promise<Screenshots> {
  const found: string[] = []
  let entries = 0
  let bytes = 0
  let leftOut = 0
  const visit = async (place: string): Promise<void> => {
    entries += 1
    const stats = await lstat(place).catch(() => null)
    if (entries > ENTRIES_MAX || stats === null || stats.isSymbolicLink()) return
    if (stats.isDirectory()) {
      for (const name of (await readdir(place)).toSorted()) await visit(join(place, name))
      return
    }
    const fits = stats.isFile() && image.test(place) && found.length < COUNT_MAX && bytes + stats.size <= BYTES_MAX
    if (!fits) leftOut += 1
    else {
      found.push(place)
      bytes += stats.size
    }
  }
  for (const path of wanted) {
    const place = resolve(root, path)
    if (!isWithin(root, place)) leftOut += 1
    else await visit(place)
  }
  return { paths: found, leftOut }
}
