// Everything that opening an attempt asks of GitHub, in one question: the pull request, its commits, the issues that it
// closes with their texts, and the policy at the tip of its base. Where GraphQL does not answer, or not all of it, the
// rest is read over REST. https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import { policyFile } from '../../../core/contract/scope.ts'
import type { Maker } from '../../../core/people/people.ts'
import { oneSpelling } from '../../../core/people/machines.ts'
import type { BaseNow, Brief, Heard } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { actor, actorFields, makerOfActor } from '../people/accounts.ts'
import { withBaseMerges, type IsBaseMerge } from './base-merges.ts'
import { closedField, closedOf, closedShape } from '../issues/closed-issues.ts'
import { linkers, linksField, linksShape } from '../issues/linked-by-hand.ts'
import type { Found } from '../show/found.ts'
import { labelsField, learnRepository, repositoryShape, type NodeIds } from '../show/node-ids.ts'
import { queuedField, queuedIn, queuedOn, queuedShape } from '../show/standing-runs.ts'
import { treeOf } from '../files/commit-files.ts'
import { policyTexts } from '../files/policy-file.ts'
import { baseOf, closedIssues, COMMITS_MAX, commitsOf, pullNow, type Made, type PullRead } from './pulls.ts'
import { isUntold } from '../traffic/graphql-away.ts'

const gitActorFields = '{ email user { login databaseId } }'

export const briefQuery = `query ($owner: String!, $name: String!, $number: Int!, $policy: String!, $head: GitObjectID!, $app: Int) {
  repository(owner: $owner, name: $name) {
    id
    head: object(oid: $head) { __typename ... on Commit { ${queuedField} } }
    nameWithOwner
    defaultBranchRef { name }
    ${labelsField}
    policy: object(expression: $policy) { __typename ... on Blob { oid text isTruncated } }
    pullRequest(number: $number) {
      id title body state isDraft headRefOid headRefName isCrossRepository baseRefName mergeable
      author ${actorFields}
      editor ${actorFields}
      comments { totalCount }
      labels(first: 100) { nodes { name } }
      commits(first: 100) {
        pageInfo { hasNextPage }
        nodes {
          commit {
            oid message tree { oid } parents(first: 3) { nodes { oid } }
            author ${gitActorFields} committer ${gitActorFields} authors(first: 20) { nodes ${gitActorFields} }
          }
        }
      }
      ${closedField}
      ${linksField}
    }
  }
}`

const gitActor = z
  .object({
    email: z.string().nullish(),
    user: z.object({ login: z.string(), databaseId: z.number().nullish() }).nullable(),
  })
  .nullable()
const commits = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean() }),
  nodes: z.array(
    z.object({
      commit: z.object({
        oid: z.string(),
        message: z.string(),
        tree: z.object({ oid: z.string() }),
        parents: z.object({ nodes: z.array(z.object({ oid: z.string() }).nullable()) }),
        author: gitActor,
        committer: gitActor,
        authors: z.object({ nodes: z.array(gitActor) }),
      }),
    }),
  ),
})
const answerShape = z.object({
  repository: repositoryShape.extend({
    nameWithOwner: z.string(),
    defaultBranchRef: z.object({ name: z.string() }).nullable(),
    // Where it is not told, nothing of ours is known to be there, and the rounds look again.
    head: queuedShape.nullish().catch(null),
    policy: z
      .object({
        __typename: z.string(),
        oid: z.string().optional(),
        text: z.string().nullish(),
        isTruncated: z.boolean().optional(),
      })
      .nullable(),
    pullRequest: z.object({
      id: z.string(),
      title: z.string(),
      body: z.string(),
      state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
      isDraft: z.boolean(),
      headRefOid: z.string(),
      headRefName: z.string(),
      isCrossRepository: z.boolean(),
      baseRefName: z.string(),
      mergeable: z.string(),
      author: actor,
      editor: actor,
      comments: z.object({ totalCount: z.number() }),
      labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
      commits,
      closingIssuesReferences: closedShape,
      ...linksShape,
    }),
  }),
})
type Answered = z.output<typeof answerShape>['repository']

type Briefed = { readonly brief: Brief; readonly found: Found }
type Organisation = () => Promise<string | null>

export async function briefByRest(
  access: Access,
  { pull, head_sha }: Heard,
  organisation: Organisation,
  isBaseMerge: IsBaseMerge,
): Promise<Briefed> {
  const [now, made, queued] = await Promise.all([
    pullNow(access, pull),
    commitsOf(access, pull),
    queuedOn(access, head_sha),
  ])
  const facts = await factsOf(access, now, made, isBaseMerge)
  const terms = async (): ReturnType<Brief['terms']> => {
    const [policy, issues] = await Promise.all([
      policyTexts(access, facts.base_ref, organisation),
      closedIssues(access, { number: pull, body: facts.body }),
    ])
    return { policy, issues: issues.issues, issues_complete: issues.complete }
  }
  return { brief: { facts, queued, terms }, found: now.found }
}

/** Null where GraphQL does not say what we ask, which is no fault of the pull request. */
export async function briefByGraphql(
  access: Access,
  ids: NodeIds,
  heard: Heard,
  organisation: Organisation,
  isBaseMerge: IsBaseMerge,
): Promise<Briefed | null> {
  const { pull, base_ref } = heard
  const answered = await ask(access, heard)
  if (answered === null) return null
  const { pullRequest, policy, defaultBranchRef } = answered
  learnRepository(ids, answered)
  ids.learn(`pull ${pull}`, pullRequest.id)
  const attributed = attributedCommits(pullRequest.commits)
  const made = attributed ?? withFound(await commitsOf(access, pull), pullRequest.commits)
  const found = {
    comments: pullRequest.comments.totalCount,
    labels: (pullRequest.labels?.nodes ?? []).map(({ name }) => name),
  }
  const now: PullRead = {
    number: pull,
    title: pullRequest.title,
    body: pullRequest.body,
    open: pullRequest.state === 'OPEN',
    draft: pullRequest.isDraft,
    head_sha: pullRequest.headRefOid,
    ...(await judgedBy(access, pull, pullRequest.baseRefName, defaultBranchRef?.name ?? null)),
    head_branch: pullRequest.isCrossRepository ? null : pullRequest.headRefName,
    conflicts: pullRequest.mergeable === 'CONFLICTING',
    author: makerOfActor(pullRequest.author),
    editor: pullRequest.editor && makerOfActor(pullRequest.editor),
    found,
  }
  const { nameWithOwner } = answered
  const listed = closedOf(nameWithOwner, pullRequest.closingIssuesReferences, linkers(nameWithOwner, pullRequest))
  const isWhole = policy === null || (typeof policy.text === 'string' && policy.isTruncated === false)
  const terms = async (): ReturnType<Brief['terms']> => {
    const { issues, complete } =
      listed === null
        ? await closedIssues(access, { number: pull, body: now.body })
        : { issues: listed, complete: true }
    const closed = { issues, issues_complete: complete }
    // The base may be another one by now than the one that was asked about.
    if (!isWhole || now.base_ref !== base_ref)
      return { policy: await policyTexts(access, now.base_ref, organisation), ...closed }
    return {
      policy: { sha: policy?.oid ?? '', own: policy?.text ?? null, organisation: await organisation() },
      ...closed,
    }
  }
  const queued = answered.head && access.app !== null ? queuedIn(answered.head) : []
  return { brief: { facts: await factsOf(access, now, made, isBaseMerge), queued, terms }, found }
}

/** Only a pull request that does not merge into the default branch can be on top of others, and only REST tells. */
async function judgedBy(
  access: Access,
  pull: number,
  base_ref: string,
  defaultBranch: string | null,
): Promise<BaseNow> {
  const plain: BaseNow = { base_ref, base_is_default: base_ref === defaultBranch, merges_into: base_ref }
  if (plain.base_is_default) return plain
  const { data } = await access.octokit.rest.pulls.get({ ...access.place, pull_number: pull, request: { fresh: true } })
  return baseOf(data)
}

async function ask(
  { octokit, place: { owner, repo: name }, app }: Access,
  { pull: number, head_sha: head, base_ref }: Heard,
): Promise<Answered | null> {
  const policy = `refs/heads/${base_ref}:${policyFile}`
  try {
    const answer = await octokit.graphql(briefQuery, { owner, name, number, policy, head, app })
    const shape = answerShape.safeParse(answer)
    return shape.success ? shape.data.repository : null
  } catch (error) {
    if (isUntold(error)) return null
    throw error
  }
}

/** GraphQL names a committer only where it is a person; REST names machines too, so it is asked where one is missing. */
function attributedCommits({ nodes, pageInfo }: Commits): Made[] | null {
  const made = nodes.flatMap(({ commit }): Made[] => {
    const { oid: sha, message, tree, author, committer } = commit
    const [by, with_] = [author?.user, committer?.user]
    if (!by || !with_) return []
    const parents = commit.parents.nodes.flatMap((parent) => parent?.oid ?? [])
    return [
      {
        sha,
        tree_sha: tree.oid,
        parents,
        author: userOf(by),
        committer: userOf(with_),
        found: foundIn(commit),
        message,
      },
    ]
  })
  return pageInfo.hasNextPage || made.length < nodes.length ? null : made
}

type Commits = Answered['pullRequest']['commits']
type GitUser = { readonly login: string; readonly databaseId?: number | null | undefined }

const userOf = ({ login, databaseId }: GitUser): Maker => oneSpelling({ id: databaseId ?? null, login, kind: 'human' })

/** Whom GitHub knows behind the addresses that a commit names beside its author's. */
const foundIn = ({ author, authors }: Commits['nodes'][number]['commit']): Made['found'] =>
  authors.nodes.flatMap((one) =>
    one?.user && one.email && one.email !== author?.email ? [{ email: one.email, maker: userOf(one.user) }] : [],
  )

function withFound(commits: readonly Made[], { nodes }: Commits): Made[] {
  const found = new Map(nodes.map(({ commit }) => [commit.oid, foundIn(commit)]))
  return commits.map((commit) => ({ ...commit, found: found.get(commit.sha) ?? [] }))
}

async function factsOf(
  access: Access,
  { found: _found, ...now }: PullRead,
  made: readonly Made[],
  isBaseMerge: IsBaseMerge,
): Promise<Brief['facts']> {
  const tip = made.find(({ sha }) => sha === now.head_sha)?.tree_sha
  // Beyond what GitHub lists, the newest commit is missing too.
  const tree_sha = tip || (await treeOf(access, now.head_sha))
  const commits = await withBaseMerges(made, now.merges_into, isBaseMerge)
  return { ...now, tree_sha, commits, commits_complete: made.length > 0 && made.length < COMMITS_MAX }
}
