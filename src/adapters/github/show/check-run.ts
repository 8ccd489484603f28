// Our check run on a commit. A completed run never opens again: for pending a new one of the name is made, and the newest
// counts. What GitHub refuses for its text is shown with less of it: people merge by the conclusion.
// https://docs.github.com/en/rest/checks/runs
import { markOf, type Shown } from '../../../core/decision/shown/owed.ts'
import { cutInert } from '../../../core/words/text/neutral.ts'
import type { CheckRunText } from '../../../core/words/report.ts'
import type { Access } from '../access.ts'
import { orMissing, statusOf } from '../status.ts'
import { fitting } from './fitting.ts'
import type { NodeIds } from './node-ids.ts'

const ANNOTATIONS_MAX = 50

type Annotation = { path: string; start_line: number; end_line: number; annotation_level: 'failure'; message: string }
type Output = { title: string; summary: string; text?: string; annotations?: Annotation[] }
/** What it carries says what it was meant to show, whatever had to be left out of its text. */
type RunText = { external_id: string } & (
  | { status: 'queued' | 'in_progress'; output?: Output }
  | { status: 'completed'; conclusion: NonNullable<CheckRunText['conclusion']>; output: Output }
)
/** A repository and what GraphQL calls its check runs, as far as that is known. */
type Site = { readonly access: Access; readonly ids: NodeIds }

/** Where a run is and what became of it, as text: `12`, `12!` once completed, `12!a` once it has its annotations. */
type Place = { readonly id: number; readonly completed: boolean; readonly annotated: boolean }

function placeIn(ref: string | null): Place | null {
  const [, id, completed, annotated] = /^(\d+)(!?)(a?)$/.exec(ref ?? '') ?? []
  return id === undefined ? null : { id: Number(id), completed: completed !== '', annotated: annotated !== '' }
}

export const refOf = ({ id, completed, annotated }: Place): string =>
  `${id}${completed ? '!' : ''}${annotated ? 'a' : ''}`

export async function showRun(
  site: Site,
  shown: Extract<Shown, { kind: 'check_run' }>,
  ref: string | null,
): Promise<{ ref: string }> {
  const { sha, name, conclusion, title, summary, text: document, annotations } = shown
  const known = placeIn(ref)
  const reopens = known?.completed === true && conclusion === null
  // GitHub appends annotations with each request, so a run gets them once.
  const marks = known?.annotated === true && !reopens ? [] : annotations.slice(0, ANNOTATIONS_MAX).map(annotationOf)
  const output: Output = {
    title: fitting(title, 'title'),
    summary: fitting(summary, 'summary'),
    ...(document === '' ? {} : { text: document }),
    ...(marks.length === 0 ? {} : { annotations: marks }),
  }
  const external_id = markOf(shown)
  return asMuchAsTaken(output, async (taken) => {
    const text: RunText =
      conclusion === null
        ? { external_id, status: 'in_progress', output: taken }
        : { external_id, status: 'completed', conclusion, output: taken }
    // Runs are deleted with age and number; the place is then empty.
    const updated = known === null || reopens ? null : await updateRun(site, known, text)
    return updated ?? createRun(site, sha, name, text)
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

/** Without its annotations and its document, then its bare title; null where nothing is left to leave out. */
function lessOf({ title, summary, text, annotations }: Output): Output | null {
  if (annotations !== undefined || text !== undefined) return { title, summary }
  // What is taken out leaves a sign, or what stood on both sides of it would become one word.
  const bare = cutInert(title.replace(/[^ -~]/gu, '?'), BARE_MAX).replace('…', '...') || 'Countersign'
  return title === bare && summary === bare ? null : { title: bare, summary: bare }
}

const BARE_MAX = 100

async function updateRun(site: Site, known: Place, text: RunText): Promise<{ ref: string } | null> {
  const { octokit, place } = site.access
  const run = { ...place, check_run_id: known.id }
  const { update } = octokit.rest.checks
  const completed = text.status === 'completed'
  const standing = { completed, annotated: known.annotated || isAnnotated(text) }
  if ((await inRush(site, text, { known })) !== null) return { ref: refOf({ id: known.id, ...standing }) }
  const answer = await orMissing(
    completed ? update({ ...run, ...text }) : update({ ...run, ...text, status: 'in_progress' }),
  )
  return answer === null ? null : { ref: refOf({ id: known.id, ...standing }) }
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
export const announceRun = (site: Site, head_sha: string, name: string): Promise<{ ref: string }> =>
  createRun(site, head_sha, name, { external_id: 'announced', status: 'queued' })

async function createRun(site: Site, head_sha: string, name: string, text: RunText): Promise<{ ref: string }> {
  const { octokit, place } = site.access
  const standing = { completed: text.status === 'completed', annotated: isAnnotated(text) }
  const rushed = await inRush(site, text, { head_sha, name })
  if (rushed !== null) return { ref: refOf({ id: rushed, ...standing }) }
  const run = { ...place, head_sha, name }
  const { data } =
    text.status === 'completed'
      ? await octokit.rest.checks.create({ ...run, ...text })
      : await octokit.rest.checks.create({ ...run, ...text })
  site.ids.learn(`run ${data.id}`, data.node_id)
  return { ref: refOf({ id: data.id, ...standing }) }
}

/** The number of the run, or null where it is to be written by itself. */
async function inRush(
  { access: { rush }, ids }: Site,
  text: RunText,
  where: { readonly known: Place } | { readonly head_sha: string; readonly name: string },
): Promise<number | null> {
  if (rush === undefined) return null
  const written = await rush(() => {
    const repositoryId = ids.get('repository')
    const checkRunId = 'known' in where ? ids.get(`run ${where.known.id}`) : null
    if (repositoryId === undefined || checkRunId === undefined) return null
    const place = 'known' in where ? { checkRunId } : { headSha: where.head_sha, name: where.name }
    return { repositoryId, ...place, ...graphqlText(text) }
  })
  if (written !== null) ids.learn(`run ${written.id}`, written.node)
  return written?.id ?? null
}

/** https://docs.github.com/en/graphql/reference/input-objects#createcheckruninput */
const graphqlText = (text: RunText): Readonly<Record<string, unknown>> => ({
  externalId: text.external_id,
  status: text.status.toUpperCase(),
  ...(text.status === 'completed' ? { conclusion: text.conclusion.toUpperCase() } : {}),
  ...(text.output === undefined ? {} : { output: graphqlOutput(text.output) }),
})

const graphqlOutput = ({ annotations = [], ...texts }: Output): Readonly<Record<string, unknown>> => ({
  ...texts,
  annotations: annotations.map(({ path, start_line, end_line, message }) => ({
    path,
    location: { startLine: start_line, endLine: end_line },
    annotationLevel: 'FAILURE',
    message,
  })),
})
