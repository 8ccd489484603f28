// Whether a path stays in a folder. Links are followed first where they can lead out of it.
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'

export function isWithin(root: string, place: string): boolean {
  const way = relative(root, place)
  return !isAbsolute(way) && way.split(/[/\\]/)[0] !== '..'
}

/** Where the path really is, or null where that is not in the folder. Rejects where there is nothing. */
export async function realPathWithin(root: string, ...path: readonly string[]): Promise<string | null> {
  const home = await realpath(root)
  const place = await realpath(resolve(home, ...path))
  return isWithin(home, place) ? place : null
}
