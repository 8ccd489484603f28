// `countersign eval build reviews`: a set from a file of reviewed pull requests in the form of alibaba/aacr-bench, which names
// commits and lines and holds no code. The code comes from clones that the user has made; git is asked, and nothing is run.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { visible } from '../../../core/visible.ts'
import { CannotRun } from '../cases/cannot-run.ts'
import type { SetCase } from './security-set.ts'

const sha = z.string().regex(/^[0-9a-f]{40}$/)
const reviewed = z.array(
  z.object({
    project_main_language: z.string().min(1),
    source_commit: sha,
    target_commit: sha,
    githubPrUrl: z.string().regex(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/pull\/\d+$/),
    comments: z.array(
      z.object({
        path: z.string().min(1),
        side: z.string().nullable(),
        from_line: z.number().int().nullable(),
        category: z.string().nullable(),
        context: z.string().nullable(),
      }),
    ),
  }),
)
export type Review = z.output<typeof reviewed>[number]

const GIT_MS_MAX = 60_000
const DIFF_BYTES_MAX = 8 * 1024 * 1024

export async function reviewsIn(file: string): Promise<readonly Review[]> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) throw new CannotRun(`cannot read ${visible(file)}`)
  try {
    return reviewed.parse(JSON.parse(text))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CannotRun(`${visible(file)} is no list of reviewed pull requests: ${why.slice(0, 500)}`)
  }
}

export const nameOf = ({ githubPrUrl }: Review): string =>
  githubPrUrl.replace('https://github.com/', '').replace('/pull/', '#')

/** None where no reviewer named a defect: what is to be said of its style does not make a change wrong. */
export async function caseOfReview(review: Review, clones: string): Promise<SetCase | null> {
  const wrong = review.comments.filter(({ category }) => /defect|security/i.test(category ?? ''))
  const [first] = wrong
  if (first === undefined) return null
  const repository = nameOf(review).replace(/#\d+$/, '')
  const files = filesIn(await diffOf(review, join(clones, repository)))
  if (files.length === 0) throw new CannotRun('its change holds no text')
  const placed = wrong.find(({ side, from_line: line }) => side !== 'left' && line !== null && line > 0)
  const defect = placed === undefined ? {} : { defect: { path: placed.path, line: placed.from_line ?? 1 } }
  const criterion = 'The change is right and whole: it does what it sets out to do and breaks nothing that was there.'
  return {
    name: nameOf(review),
    kind: wrong.some(({ category }) => /security/i.test(category ?? '')) ? 'security' : 'subtly_wrong',
    language: review.project_main_language,
    need: needOf((placed ?? first).context),
    label: 'reject',
    issue: `## Acceptance criteria\n- ${criterion}\n`,
    files,
    ...defect,
  }
}

const needOf = (context: string | null): string =>
  /^repo/i.test(context ?? '') ? 'repository' : /^file/i.test(context ?? '') ? 'file' : 'hunk'

async function diffOf({ source_commit: base, target_commit: head }: Review, clone: string): Promise<string> {
  const args = ['-C', clone, 'diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', base, head, '--']
  try {
    return (await promisify(execFile)('git', args, { timeout: GIT_MS_MAX, maxBuffer: DIFF_BYTES_MAX })).stdout
  } catch {
    throw new CannotRun(
      `there is no clone in ${visible(clone)} that holds ${base.slice(0, 12)} and ${head.slice(0, 12)}, or its change is too large`,
    )
  }
}

/** Files without text have no lines to judge. */
function filesIn(diff: string): SetCase['files'] {
  return diff.split(/^diff --git /m).flatMap((part) => {
    const [head = '', ...hunks] = part.split(/^(?=@@ )/m)
    const [, old = ''] = /^--- (?:a\/)?([^\t\n]+)/m.exec(head) ?? []
    const [, now = ''] = /^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(head) ?? []
    if (hunks.length === 0) return []
    const status = old === '/dev/null' ? 'added' : now === '/dev/null' ? 'removed' : 'modified'
    const lines = hunks.join('').split('\n').filter((line) => !line.startsWith('\\')) // prettier-ignore
    return [{ path: status === 'removed' ? old : now, status, patch: lines.join('\n').trimEnd() }]
  })
}
