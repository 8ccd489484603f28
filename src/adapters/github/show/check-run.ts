// Our check run on a commit. A completed run never opens again: for pending a new one of the name is made, and the newest
// counts. What GitHub refuses for its text is shown with less of it: people merge by the conclusion.
// https://docs.github.com/en/rest/checks/runs
import { markOf, type Shown } from '../../../core/decision/shown/owed.ts'
import { cutInert } from '../../../core/words/neutral.ts'
import type { CheckRunText } from '../../../core/words/report.ts'
import type { Access } from '../access.ts'
import { orMissing, statusOf } from '../status.ts'
import { fitting } from './fitting.ts'

const ANNOTATIONS_MAX = 50

type Annotation = { path: string; start_line: number; end_line: number; annotation_level: 'failure'; message: string }
type Output = { title: string; summary: string; annotations?: Annotation[] }
/** What it carries says what it was meant to show, whatever had to be left out of its text. */
type RunText = { external_id: string } & (
  | { status: 'queued' | 'in_progress'; output?: Output }
  | { status: 'completed'; conclusion: NonNullable<CheckRunText['conclusion']>; output: Output }
)

/** Where a run is and what became of it, as text: `12`, `12!` once completed, `12!a` once it has its annotations. */
type Place = { readonly id: number; readonly completed: boolean; readonly annotated: boolean }

function placeIn(ref: string | null): Place | null {
  const [, id, completed, annotated] = /^(\d+)(!?)(a?)$/.exec(ref ?? '') ?? []
  return id === undefined ? null : { id: Number(id), completed: completed !== '', annotated: annotated !== '' }
}

export const refOf = ({ id, completed, annotated }: Place): string =>
  `${id}${completed ? '!' : ''}${annotated ? 'a' : ''}`

export async function showRun(
  access: Access,
  shown: Extract<Shown, { kind: 'check_run' }>,
  ref: string | null,
): Promise<{ ref: string }> {
  const { sha, name, conclusion, title, summary, annotations } = shown
  const known = placeIn(ref)
  const reopens = known?.completed === true && conclusion === null
  // GitHub appends annotations with each request, so a run gets them once.
  const marks = known?.annotated === true && !reopens ? [] : annotations.slice(0, ANNOTATIONS_MAX).map(annotationOf)
  const output: Output = {
    title: fitting(title, 'title'),
    summary: fitting(summary, 'summary'),
    ...(marks.length === 0 ? {} : { annotations: marks }),
  }
  const external_id = markOf(shown)
  return asMuchAsTaken(output, async (taken) => {
    const text: RunText =
      conclusion === null
        ? { external_id, status: 'in_progress', output: taken }
        : { external_id, status: 'completed', conclusion, output: taken }
    // Runs are deleted with age and number; the place is then empty.
    const updated = known === null || reopens ? null : await updateRun(access, known, text)
    return updated ?? createRun(access, sha, name, text)
  })
}

async function asMuchAsTaken<T>(output: Output, write: (output: Output) => Promise<T>): Promise<T> {
  try {
    return await write(output)
  } catch (error) {
    const less = statusOf(error) === 422 ? lessOf(output) : null
    if (less === null) throw error
    return asMuchAsTaken(less, write)
  }
}

/** Without its annotations, then its bare title; null where nothing is left to leave out. */
function lessOf({ title, summary, annotations }: Output): Output | null {
  if (annotations !== undefined) return { title, summary }
  // What is taken out leaves a sign, or what stood on both sides of it would become one word.
  const bare = cutInert(title.replace(/[^ -~]/gu, '?'), BARE_MAX).replace('…', '...') || 'Countersign'
  return title === bare && summary === bare ? null : { title: bare, summary: bare }
}

const BARE_MAX = 100

async function updateRun({ octokit, place }: Access, known: Place, text: RunText): Promise<{ ref: string } | null> {
  const run = { ...place, check_run_id: known.id }
  const { update } = octokit.rest.checks
  const completed = text.status === 'completed'
  const answer = await orMissing(
    completed ? update({ ...run, ...text }) : update({ ...run, ...text, status: 'in_progress' }),
  )
  const annotated = known.annotated || isAnnotated(text)
  return answer === null ? null : { ref: refOf({ id: known.id, completed, annotated }) }
}

const isAnnotated = ({ output }: RunText): boolean => (output?.annotations?.length ?? 0) > 0

const annotationOf = ({ path, line, message }: CheckRunText['annotations'][number]): Annotation => ({
  path,
  start_line: line,
  end_line: line,
  annotation_level: 'failure',
  message: fitting(message, 'annotation'),
})

/** A commit is announced before anything about it has been read. */
export const announceRun = (access: Access, head_sha: string, name: string): Promise<{ ref: string }> =>
  createRun(access, head_sha, name, { external_id: 'announced', status: 'queued' })

async function createRun(
  { octokit, place }: Access,
  head_sha: string,
  name: string,
  text: RunText,
): Promise<{ ref: string }> {
  const run = { ...place, head_sha, name }
  const { data } =
    text.status === 'completed'
      ? await octokit.rest.checks.create({ ...run, ...text })
      : await octokit.rest.checks.create({ ...run, ...text })
  return { ref: refOf({ id: data.id, completed: text.status === 'completed', annotated: isAnnotated(text) }) }
}
