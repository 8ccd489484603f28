// Our check runs as GitHub has them: the newest of a name, which is the one that counts, and any that never ended. Those at
// many commits are one question over GraphQL; where it does not answer for one of them, that one is read over REST.
// https://docs.github.com/en/graphql/reference/objects#checkrun
import { z } from 'zod'
import type { RunSeen } from '../../../ports.ts'
import type { Access, GitHubClient, Place } from '../access.ts'
import { isRefusedQuery, orMissing, statusOf } from '../status.ts'
import { isSpentOnGraphql } from '../traffic/pacing.ts'
import { refOf } from './check-run.ts'

/** A name on a commit of a repository. */
export type RunAt = { readonly place: Place; readonly sha: string; readonly name: string }

/**
 * What one question asks about. GitHub charges for every list that it may have to look through, a hundred a point and
 * rounded: these are 245 lists for two points, and one commit more would make it three. https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export const RUNS_ASKED_MAX = 49
/** An App has one suite on a commit. */
const SUITES_MAX = 2
const OPEN_MAX = 10

const runFields = 'nodes { databaseId name status conclusion externalId }'

const ofOurs = (runs: string): string =>
  `checkSuites(first: ${SUITES_MAX}, filterBy: { appId: $app }) { nodes { ${runs} } }`

/** Runs of a name on a commit: the newest one and all that are open. */
const standing = (name: string): string =>
  ofOurs(`
        newest: checkRuns(first: 1, filterBy: { checkType: LATEST, checkName: ${name} }) { ${runFields} }
        open: checkRuns(first: ${OPEN_MAX}, filterBy: { checkType: ALL, checkName: ${name}, statuses: [QUEUED, IN_PROGRESS] }) { ${runFields} }
      `)

/** Those that were announced and nothing was shown in yet, wherever a question is about a commit anyway. */
export const queuedField = ofOurs(
  `checkRuns(first: ${OPEN_MAX}, filterBy: { checkType: ALL, statuses: [QUEUED] }) { ${runFields} }`,
)

const runShape = z.object({
  databaseId: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  externalId: z.string().nullable(),
})
const runsShape = z.object({ nodes: z.array(runShape) })
const suitesOf = <S extends z.ZodType>(suite: S) => z.object({ checkSuites: z.object({ nodes: z.array(suite) }) })
const standingShape = suitesOf(z.object({ newest: runsShape, open: runsShape }))
export const queuedShape = suitesOf(z.object({ checkRuns: runsShape }))

export function runsQuery(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const variables = numbers.map(
    (n) => `$owner${n}: String!, $repo${n}: String!, $sha${n}: GitObjectID!, $name${n}: String!`,
  )
  const fields = numbers.map(
    (n) => `  run${n}: repository(owner: $owner${n}, name: $repo${n}) {
    object(oid: $sha${n}) { __typename ... on Commit { ${standing(`$name${n}`)} } }
  }`,
  )
  return `query ($app: Int!, ${variables.join(', ')}) {\n${fields.join('\n')}\n  rateLimit { cost }\n}`
}

/** For each of them, newest first, or null where GitHub knows no such commit; at most `RUNS_ASKED_MAX`. */
export async function runsTogether(
  octokit: GitHubClient,
  app: number,
  wanted: readonly RunAt[],
): Promise<readonly (readonly RunSeen[] | null)[]> {
  const answered = await asked(octokit, app, wanted)
  return Promise.all(
    wanted.map(async (one, index) => {
      const { data } = answerShape.safeParse(answered[`run${index}`])
      if (data !== undefined)
        return seenIn(data.object.checkSuites.nodes.flatMap(({ newest, open }) => [...newest.nodes, ...open.nodes]))
      return newestOn({ octokit, place: one.place, app }, one)
    }),
  )
}

const answerShape = z.object({ object: standingShape })

/** Nothing where GraphQL does not answer, and as much as it answers where it refuses some of it. */
async function asked(
  octokit: GitHubClient,
  app: number,
  wanted: readonly RunAt[],
): Promise<Readonly<Record<string, unknown>>> {
  const values = wanted.flatMap(({ place: { owner, repo }, sha, name }, index) => [
    [`owner${index}`, owner],
    [`repo${index}`, repo],
    [`sha${index}`, sha],
    [`name${index}`, name],
  ])
  try {
    return answers.parse(await octokit.graphql(runsQuery(wanted.length), { app, ...Object.fromEntries(values) }))
  } catch (error) {
    if (isRefusedQuery(error)) return partial.parse(error).data ?? {}
    if (statusOf(error) === 404 || isSpentOnGraphql(error)) return {}
    throw error
  }
}

const answers = z.record(z.string(), z.unknown())
const partial = z.object({ data: answers.nullish() })

export const queuedIn = ({ checkSuites }: z.output<typeof queuedShape>): readonly RunSeen[] =>
  seenIn(checkSuites.nodes.flatMap(({ checkRuns }) => checkRuns.nodes))

function seenIn(runs: readonly z.output<typeof runShape>[]): readonly RunSeen[] {
  return newestFirst(
    runs.map(({ databaseId: id, name, status, conclusion, externalId }) => ({
      id,
      name,
      completed: status === 'COMPLETED',
      conclusion: conclusion?.toLowerCase() ?? null,
      mark: externalId,
      // Not asked for: whoever writes to it reads it over REST before, and an announced one has none.
      annotated: false,
    })),
  )
}

type Run = Omit<RunSeen, 'ref'> & { readonly id: number; readonly completed: boolean; readonly annotated: boolean }

function newestFirst(runs: readonly Run[]): readonly RunSeen[] {
  const once = [...new Map(runs.map((run) => [run.id, run])).values()]
  return once
    .toSorted((one, other) => other.id - one.id)
    .map(({ id, name, completed, conclusion, mark, annotated }) => ({
      ref: refOf({ id, completed, annotated }),
      name,
      mark,
      conclusion: completed ? conclusion : null,
    }))
}

const listed = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    status: z.string(),
    conclusion: z.string().nullable(),
    external_id: z.string().nullish(),
    output: z.object({ annotations_count: z.number().default(0) }).nullish(),
    app: z.object({ id: z.number() }).nullish(),
  }),
)
type Which =
  | { readonly filter: 'latest'; readonly check_name?: string }
  | { readonly filter: 'all'; readonly status: 'queued' | 'in_progress' }
type Where = Pick<Access, 'octokit' | 'place' | 'app'>

/** The newest of each name and all that are open, over REST. Null where there is no such commit. */
export const runsOn = async (where: Where, ref: string): Promise<readonly RunSeen[] | null> =>
  listedRuns(where, ref, [{ filter: 'latest' }, ...openOnes])

const openOnes = [
  { filter: 'all', status: 'queued' },
  { filter: 'all', status: 'in_progress' },
] as const

export const queuedOn = async (where: Where, ref: string): Promise<readonly RunSeen[]> =>
  (await listedRuns(where, ref, [openOnes[0]])) ?? []

/** One conditional read, since many may be asked for like this. */
const newestOn = async (where: Where, { sha, name }: RunAt): Promise<readonly RunSeen[] | null> =>
  listedRuns(where, sha, [{ filter: 'latest', check_name: name }], false)

async function listedRuns(
  { octokit, place, app: own }: Where,
  ref: string,
  which: readonly Which[],
  fresh = true,
): Promise<readonly RunSeen[] | null> {
  // Whoever does not know its own number cannot tell which are its own.
  if (own === null) return null
  const ours = { ...place, ref, app_id: own, per_page: 100, request: { fresh } }
  const lists = which.map(async (some) => orUnknown(octokit.rest.checks.listForRef({ ...ours, ...some })))
  const answers = (await Promise.all(lists)).flatMap((answer) => answer ?? [])
  if (answers.length < lists.length) return null
  const runs = answers.flatMap(({ data }) => listed.parse(data.check_runs)).filter(({ app }) => app?.id === own)
  return newestFirst(
    runs.map(({ external_id, output, status, ...run }) => ({
      ...run,
      completed: status === 'completed',
      mark: external_id ?? null,
      annotated: (output?.annotations_count ?? 0) > 0,
    })),
  )
}

/** GitHub says of a commit that it does not know that it cannot process it. */
async function orUnknown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await orMissing(answer)
  } catch (error) {
    if (statusOf(error) === 422) return null
    throw error
  }
}

/** What our newest run of a name concluded; null where there is none, or none that has ended. */
export async function standingRun(
  { octokit, place, app: own }: Access,
  ref: string,
  check_name: string,
): Promise<string | null> {
  const { data } = await octokit.rest.checks.listForRef({ ...place, ref, check_name, filter: 'latest', per_page: 100 })
  const ours = listed.parse(data.check_runs).filter(({ app }) => own === null || app?.id === own)
  return ours.toSorted((one, other) => other.id - one.id)[0]?.conclusion ?? null
}
