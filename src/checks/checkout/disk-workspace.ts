// The files of the checkout for tier 1. No link is followed in any part of a path, so nothing outside is ever read.
import { constants } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_BYTES_MAX, type FileReading, type Workspace } from '../tier1/workspace.ts'
import type { Git } from './git.ts'

export function diskWorkspace(root: string, git: Git, parsePython: Workspace['parsePython']): Workspace {
  const folders = new Map<string, Promise<boolean>>()
  let listing: Promise<Listing> | null = null
  const listed = (): Promise<Listing> => (listing ??= list(git))
  const isFolder = (path: string): Promise<boolean> => {
    const known = folders.get(path) ?? kindOf(join(root, path)).then((kind) => kind === 'folder')
    folders.set(path, known)
    return known
  }
  const isWithinFolders = async (steps: readonly string[]): Promise<boolean> => {
    for (let count = 1; count < steps.length; count += 1) {
      if (!(await isFolder(steps.slice(0, count).join('/')))) return false
    }
    return true
  }
  return {
    list: async () => (await listed()).paths,
    parsePython,
    read: async (path): Promise<FileReading> => {
      const steps = path.split('/')
      if (steps.some((step) => ['', '.', '..', '.git'].includes(step))) return { kind: 'missing' }
      try {
        if (!(await isWithinFolders(steps))) return { kind: 'missing' }
        const place = join(root, path)
        const kind = await kindOf(place)
        if (kind === 'link') return { kind: 'symlink', target: await readlink(place) }
        if (kind === 'folder') {
          return (await listed()).submodules.has(path) ? { kind: 'submodule' } : { kind: 'missing' }
        }
        return kind === 'file' ? await readFile(place) : { kind: 'missing' }
      } catch (error) {
        return { kind: 'unavailable', why: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

async function readFile(place: string): Promise<FileReading> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > FILE_BYTES_MAX) return { kind: 'too_large', size }
    const bytes = await file.readFile()
    return { kind: 'file', bytes, size: bytes.length }
  } finally {
    await file.close()
  }
}

async function kindOf(place: string): Promise<'file' | 'folder' | 'link' | 'none'> {
  try {
    const stats = await lstat(place)
    if (stats.isSymbolicLink()) return 'link'
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'none'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'none'
    throw error
  }
}

type Listing = { readonly paths: readonly string[]; readonly submodules: ReadonlySet<string> }

async function list(git: Git): Promise<Listing> {
  const { ok, bytes, trouble } = await git(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'])
  if (!ok) throw new Error(`git could not list the files: ${trouble}`)
  const entries = bytes.toString('utf8').split('\0').filter(Boolean)
  const split = entries.map((entry) => ({ mode: entry.slice(0, 6), path: entry.slice(entry.indexOf('\t') + 1) }))
  return {
    paths: split.map(({ path }) => path),
    submodules: new Set(split.flatMap(({ mode, path }) => (mode === '160000' ? [path] : []))),
  }
}
