// Everything that opening an attempt asks of GitHub, in one question: the pull request, its commits, the issues that it
// closes with their texts, and the policy at the tip of its base. Where GraphQL does not answer, or not all of it, the
// rest is read over REST. https://docs.github.com/en/graphql/reference/objects#pullrequest
import { z } from 'zod'
import { policyFile } from '../../core/contract/scope.ts'
import type { Maker } from '../../core/people/builders.ts'
import type { Brief } from '../../ports.ts'
import type { Access } from './access.ts'
import { actor, makerOfActor } from './accounts.ts'
import { closedField, closedOf, closedShape } from './closed-issues.ts'
import type { Found } from './show/found.ts'
import { labelsField, learnRepository, repositoryShape, type NodeIds } from './show/node-ids.ts'
import { policyTexts } from './policy-file.ts'
import { closedIssues, commitsOf, pullNow, type PullNow } from './pulls.ts'
import { isRefusedQuery, statusOf } from './status.ts'

export const briefQuery = `query ($owner: String!, $name: String!, $number: Int!, $policy: String!) {
  repository(owner: $owner, name: $name) {
    id
    nameWithOwner
    defaultBranchRef { name }
    ${labelsField}
    policy: object(expression: $policy) { __typename ... on Blob { oid text isTruncated } }
    pullRequest(number: $number) {
      id title body state isDraft headRefOid baseRefName mergeable
      author { __typename login }
      comments { totalCount }
      labels(first: 100) { nodes { name } }
      commits(first: 100) {
        pageInfo { hasNextPage }
        nodes { commit { oid message tree { oid } author { user { login } } committer { user { login } } } }
      }
      ${closedField}
    }
  }
}`

const gitActor = z.object({ user: z.object({ login: z.string() }).nullable() }).nullable()
const commits = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean() }),
  nodes: z.array(
    z.object({
      commit: z.object({
        oid: z.string(),
        message: z.string(),
        tree: z.object({ oid: z.string() }),
        author: gitActor,
        committer: gitActor,
      }),
    }),
  ),
})
const answerShape = z.object({
  repository: repositoryShape.extend({
    nameWithOwner: z.string(),
    defaultBranchRef: z.object({ name: z.string() }).nullable(),
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
      baseRefName: z.string(),
      mergeable: z.string(),
      author: actor,
      comments: z.object({ totalCount: z.number() }),
      labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
      commits,
      closingIssuesReferences: closedShape,
    }),
  }),
})
type Answered = z.output<typeof answerShape>['repository']

type Briefed = { readonly brief: Brief; readonly found: Found }
type Organisation = () => Promise<string | null>

export async function briefByRest(access: Access, pull: number, organisation: Organisation): Promise<Briefed> {
  const [now, made] = await Promise.all([pullNow(access, pull), commitsOf(access, pull)])
  const facts = factsOf(now, made)
  const terms = async (): ReturnType<Brief['terms']> => {
    const [policy, issues] = await Promise.all([
      policyTexts(access, facts.base_ref, organisation),
      closedIssues(access, pull),
    ])
    return { policy, issues }
  }
  return { brief: { facts, terms }, found: now.found }
}

/** Null where GraphQL does not say what we ask, which is no fault of the pull request. */
export async function briefByGraphql(
  access: Access,
  ids: NodeIds,
  { pull, base_ref }: { readonly pull: number; readonly base_ref: string },
  organisation: Organisation,
): Promise<Briefed | null> {
  const answered = await ask(access, pull, base_ref)
  if (answered === null) return null
  const { pullRequest, policy, defaultBranchRef } = answered
  learnRepository(ids, answered)
  ids.learn(`pull ${pull}`, pullRequest.id)
  const attributed = attributedCommits(pullRequest.commits)
  const made = attributed ?? (await commitsOf(access, pull))
  const found = {
    comments: pullRequest.comments.totalCount,
    labels: (pullRequest.labels?.nodes ?? []).map(({ name }) => name),
  }
  const now: PullNow = {
    title: pullRequest.title,
    body: pullRequest.body,
    open: pullRequest.state === 'OPEN',
    draft: pullRequest.isDraft,
    head_sha: pullRequest.headRefOid,
    base_ref: pullRequest.baseRefName,
    base_is_default: pullRequest.baseRefName === defaultBranchRef?.name,
    conflicts: pullRequest.mergeable === 'CONFLICTING',
    author: makerOfActor(pullRequest.author),
    found,
  }
  const issues = closedOf(answered.nameWithOwner, pullRequest.closingIssuesReferences)
  const isWhole = policy === null || (typeof policy.text === 'string' && policy.isTruncated === false)
  const terms = async (): ReturnType<Brief['terms']> => {
    // The base may be another one by now than the one that was asked about.
    if (!isWhole || now.base_ref !== base_ref)
      return { policy: await policyTexts(access, now.base_ref, organisation), issues }
    return { policy: { sha: policy?.oid ?? '', own: policy?.text ?? null, organisation: await organisation() }, issues }
  }
  return { brief: { facts: factsOf(now, made), terms }, found }
}

async function ask({ octokit, place }: Access, number: number, base_ref: string): Promise<Answered | null> {
  const policy = `refs/heads/${base_ref}:${policyFile}`
  try {
    const answer = await octokit.graphql(briefQuery, { owner: place.owner, name: place.repo, number, policy })
    const shape = answerShape.safeParse(answer)
    return shape.success ? shape.data.repository : null
  } catch (error) {
    if (isRefusedQuery(error) || statusOf(error) === 404) return null
    throw error
  }
}

type Made = Awaited<ReturnType<typeof commitsOf>>

/** GraphQL names a committer only where it is a person; REST names machines too, so it is asked where one is missing. */
function attributedCommits({ nodes, pageInfo }: Answered['pullRequest']['commits']): Made | null {
  const made = nodes.flatMap(({ commit: { oid, message, tree, author, committer } }) => {
    const [by, with_] = [author?.user, committer?.user]
    if (!by || !with_) return []
    const human = ({ login }: { login: string }): Maker => ({ login, kind: 'human' })
    return [{ sha: oid, tree_sha: tree.oid, author: human(by), committer: human(with_), message }]
  })
  return pageInfo.hasNextPage || made.length < nodes.length ? null : made
}

function factsOf({ found: _found, ...now }: PullNow, made: Made): Brief['facts'] {
  const tip = made.find(({ sha }) => sha === now.head_sha)
  return { ...now, tree_sha: tip?.tree_sha ?? '', commits: made.map(({ tree_sha: _tree, ...commit }) => commit) }
}
