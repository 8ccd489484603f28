// The set that comes along: the stories, and a small one with answers on file.
import type { EvalCase } from '../eval-set.ts'
import { go } from './go.ts'
import { python } from './python.ts'
import { rubyShellSql } from './ruby-shell-sql.ts'
import { rustAndJava } from './rust-and-java.ts'
import { edited, patchBetween, type Edit, type Need, type Story } from './story.ts'
import { typescript } from './typescript.ts'

export const stories: readonly Story[] = [...typescript, ...python, ...go, ...rustAndJava, ...rubyShellSql]

export const storyCases = (): EvalCase[] => stories.flatMap(casesOf)

function casesOf(story: Story): EvalCase[] {
  const { good, wrong } = story
  const accept = caseOf(story, good, { name: `${story.name}, as it should be`, kind: 'good', label: 'accept' })
  const rejects = wrong.map(({ edits, name, kind, defect, shownBy }) => {
    const now = edited(story, edits)
    const place = placeOf(now, edits, defect) ?? placeOf(story.files, edits, defect)
    if (place === null) throw new Error(`${name}: the defect is nowhere`)
    const need = needOf(story, edits, shownBy)
    return caseOf(story, edits, { name: `${story.name}: ${name}`, kind, label: 'reject', defect: place, need })
  })
  return [accept, ...rejects]
}

type Given = Pick<EvalCase, 'name' | 'kind' | 'label' | 'defect' | 'need'>

function caseOf(story: Story, edits: readonly Edit[], given: Given): EvalCase {
  const now = edited(story, edits)
  const { criteria, files, language, stakes = 'medium' } = story
  return {
    ...given,
    language,
    issue: ['## Acceptance criteria', ...criteria.map((one) => `- ${one}`)].join('\n'),
    scope: ['**'],
    stakes,
    checks: {},
    files: changedPaths(edits).map((path) => ({
      path,
      status: path in files ? 'modified' : 'added',
      patch: patchBetween(files[path] ?? '', now[path] ?? ''),
    })),
    repository: now,
    answers: [],
  }
}

const changedPaths = (edits: readonly Edit[]): string[] => [...new Set(edits.map(([path]) => path))]

function placeOf(files: Readonly<Record<string, string>>, edits: readonly Edit[], line: string) {
  for (const path of changedPaths(edits)) {
    const at = (files[path] ?? '').split('\n').indexOf(line)
    if (at >= 0) return { path, line: at + 1 }
  }
  return null
}

/** How far one has to look to see the line that shows it. */
export function needOf(story: Story, edits: readonly Edit[], shownBy: string): Need {
  const now = edited(story, edits)
  const patches = changedPaths(edits).map((path) => patchBetween(story.files[path] ?? '', now[path] ?? ''))
  if (patches.some((patch) => patch.split('\n').some((line) => line.slice(1) === shownBy))) return 'hunk'
  if (changedPaths(edits).some((path) => now[path]?.split('\n').includes(shownBy) === true)) return 'file'
  if (Object.values(now).some((text) => text.split('\n').includes(shownBy))) return 'repository'
  throw new Error(`${story.name}: nothing shows ${shownBy}`)
}
