// Whether something lies behind a path, following links as a program would, but never out of the repository. Every
// part of the path is looked at before the next, so that a linked folder cannot smuggle the rest outside.
import type { Workspace } from './workspace.ts'

export type Location =
  | { readonly kind: 'present' | 'missing' | 'outside' }
  | { readonly kind: 'unavailable'; readonly why: string }

const LINKS_MAX = 40
const PATH_LENGTH_MAX = 4096

export async function locate(workspace: Workspace, path: string): Promise<Location> {
  let steps = stepsWithin([], path)
  for (let links = 0; links <= LINKS_MAX; links += 1) {
    if (steps === null) return { kind: 'outside' }
    const met = await walk(workspace, steps)
    if (met.kind !== 'link') return met
    const target = stepsWithin(met.folder, met.target)
    steps = target === null ? null : [...target, ...met.rest]
  }
  return { kind: 'unavailable', why: 'its links lead in a circle' }
}

/** The parts of a path within the repository, or null for one that leaves it or reaches into git's own folder. */
function stepsWithin(folder: readonly string[], path: string): readonly string[] | null {
  // What other systems take for an absolute path is refused everywhere, so that the answer is the same everywhere.
  if (path.length > PATH_LENGTH_MAX || /^[/\\]|^[a-z]:|\0/i.test(path)) return null
  if (path.includes('\\') && stepsWithin(folder, path.replaceAll('\\', '/')) === null) return null
  const steps = [...folder]
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return null
  }
  return steps.some((step) => step.toLowerCase() === '.git') ? null : steps
}

type Link = {
  readonly kind: 'link'
  readonly folder: readonly string[]
  readonly target: string
  readonly rest: readonly string[]
}

async function walk(workspace: Workspace, steps: readonly string[]): Promise<Location | Link> {
  for (let count = 1; count <= steps.length; count += 1) {
    const reading = await workspace.read(steps.slice(0, count).join('/'))
    const isWhole = count === steps.length
    switch (reading.kind) {
      case 'symlink':
        return { kind: 'link', folder: steps.slice(0, count - 1), target: reading.target, rest: steps.slice(count) }
      case 'unavailable':
        return reading
      case 'file':
      case 'too_large':
      case 'submodule':
        return { kind: isWhole ? 'present' : 'missing' }
      case 'missing':
    }
  }
  return { kind: 'missing' }
}
