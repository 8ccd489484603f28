// GitHub's webhook payloads, read into news. No other file knows their shapes.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads
import { z } from 'zod'
import { policyFile } from '../../../core/contract/scope.ts'
import { isSame } from '../../../core/people/people.ts'
import { mayCommand } from '../../../core/people/read-commands.ts'
import type { News, Repository, ToldResult } from '../../../core/news.ts'
import { account, makerOf } from '../people/accounts.ts'
import { isBroken } from '../pulls/brought-by.ts'
import { commentKey, dismissalKey, reviewKey } from '../people/heard-keys.ts'
import { atIssue, commentShape, dependency, foundAs, issue, subIssue } from './issue-payloads.ts'
import { reading, type Reading } from './payload-reading.ts'
import { pull, pullRequest } from './pull-payloads.ts'
import { newsOfRun, toldRun } from '../results/approved-run.ts'

const about = z.object({
  action: z.string().default(''),
  repository: z.object({ id: z.number(), full_name: z.string(), default_branch: z.string().default('main') }),
  sender: account,
  installation: z.object({ id: z.number() }),
  /** No webhook told it: we found it at GitHub ourselves. */
  found: z.boolean().default(false),
})

/** One webhook, as it was delivered. */
export type Webhook = { readonly event: string; readonly guid: string; readonly payload: unknown }
export type Understood = { readonly installation: number; readonly repository: Repository; readonly news: News }

/** What a webhook says, or null where it is of no concern to us. */
export const understand = (webhook: Webhook, ownApp: number): Understood | null =>
  heard(webhook, ownApp)?.understood ?? null

/** With all that is ever read of it, in GitHub's own shape: a twentieth of what was delivered. */
export type Heard = { readonly understood: Understood; readonly essence: object }

export function heard({ event, guid, payload }: Webhook, ownApp: number): Heard | null {
  const context = about.safeParse(payload)
  const reading = Object.hasOwn(readings, event) ? readings[event] : undefined
  if (!context.success || reading === undefined) return null
  const { action, repository, sender, installation, found } = context.data
  const told = { action, guid, by: makerOf(sender), defaultBranch: repository.default_branch, ownApp, found }
  const read = reading(payload, told)
  if (read === null) return null
  return {
    understood: {
      installation: installation.id,
      repository: { key: `R${repository.id}`, full_name: repository.full_name },
      news: read.news,
    },
    essence: { ...context.data, ...read.essence },
  }
}

const status = reading(
  z.object({ sha: z.string(), id: z.number().nullish(), context: z.string().nullish(), state: z.string().nullish() }),
  ({ sha, id, context, state }) => ({
    kind: 'results_changed',
    sha,
    ...(id && context && state ? { told: [{ kind: 'status', id, name: context, conclusion: state, at: '' }] } : {}),
  }),
)

const workflowRun = reading(z.object({ workflow_run: toldRun }), ({ workflow_run }) => newsOfRun(workflow_run))

const appTold = z.object({ id: z.number(), slug: z.string().nullish() })
const ofCommit = z.object({ head_sha: z.string(), app: appTold.nullish() })

const runTold = ofCommit.extend({
  id: z.number().nullish(),
  name: z.string(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  completed_at: z.string().nullish(),
  check_suite: z.object({ head_branch: z.string().nullish() }).nullish(),
})

function toldOf({ id, name, status, conclusion, completed_at }: z.output<typeof runTold>): { told?: [ToldResult] } {
  if (!id || status !== 'completed') return {}
  return { told: [{ kind: 'check_run', id, name, conclusion: conclusion ?? null, at: completed_at ?? '' }] }
}

/** What we reported ourselves is no news; asking us to run again is. */
const checkRun = reading(z.object({ check_run: runTold }), ({ check_run }, { action, ownApp, defaultBranch }) => {
  const { head_sha: sha, app, name, conclusion, check_suite } = check_run
  const branch = check_suite?.head_branch
  const isNews = isBroken(conclusion) && branch === defaultBranch
  const failed = isNews ? { failed: { check: name, app: app?.slug ?? null, branch } } : {}
  if (app?.id !== ownApp) return { kind: 'results_changed', sha, ...toldOf(check_run), ...failed }
  return action === 'rerequested' ? { kind: 'run_asked_again', sha, name, at: '' } : null
})

/** A suite may end before the last of its runs is told, so its end says nothing; asking for ours again does. */
const checkSuite = reading(
  z.object({ check_suite: ofCommit }),
  ({ check_suite: { head_sha: sha, app } }, { action, ownApp }) =>
    action === 'rerequested' && app?.id === ownApp
      ? { kind: 'run_asked_again', sha, name: 'countersign', at: '' }
      : null,
)

/** Of all that a push may name, nothing else is ever looked for. */
const policyAmong = z
  .array(z.string())
  .default([])
  .transform((paths) => paths.filter((path) => path === policyFile))
const pushedCommit = z.object({ added: policyAmong, modified: policyAmong, removed: policyAmong })
const touchesPolicy = (commit: z.output<typeof pushedCommit>): boolean => Object.values(commit).flat().length > 0
const pushShape = z.object({
  ref: z.string(),
  before: z.string().default(''),
  after: z.string().default(''),
  commits: z
    .array(pushedCommit)
    .default([])
    .transform((commits) => commits.filter(touchesPolicy)),
})

/** Of concern is what it did to the policy, and who pushed what some pull request may have as its head. */
const pushed = reading(pushShape, ({ ref, before, after, commits }, { by }) => {
  const changes_policy = commits.length > 0
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref) ?? []
  const moved = { before: commitOrNone(before), sha: commitOrNone(after), by, changes_policy }
  return branch === undefined ? null : { kind: 'pushed', branch, ...moved }
})

/** GitHub writes nothing but zeros where a branch was not there, or is not any more. */
const commitOrNone = (sha: string): string | null => (/^0+$/.test(sha) ? null : sha)

const mergeGroupShape = z.object({
  merge_group: z.object({
    head_sha: z.string(),
    head_ref: z.string(),
    base_sha: z.string().default(''),
    base_ref: z.string(),
    head_commit: z.object({ timestamp: z.string() }).nullish(),
  }),
})

/** A group names no pull request but in its branch: `gh-readonly-queue/<base>/pr-<n>-<sha>`. */
const mergeGroup = reading(mergeGroupShape, ({ merge_group }, { action, defaultBranch }) => {
  const { head_sha, head_ref, base_sha, base_ref: ref, head_commit } = merge_group
  if (action === 'destroyed') return { kind: 'group_ended', head_sha }
  const pull = Number(/\/pr-(\d+)-[0-9a-f]+$/.exec(head_ref)?.[1])
  if (action !== 'checks_requested' || !Number.isInteger(pull)) return null
  const base_ref = ref.replace(/^refs\/heads\//, '')
  return {
    kind: 'group_requested',
    pull,
    head_sha,
    base_sha,
    base_ref,
    base_is_default: base_ref === defaultBranch,
    at: head_commit?.timestamp ?? '',
  }
})

/** Only new comments speak, in the name of their author. Whoever edits or deletes another's may have changed ours. */
const comment = reading(commentShape, ({ issue, comment }, { action, by: sender, found }) => {
  if (!issue.pull_request) return atIssue(issue.number, comment, { action, found })
  if (action !== 'created') {
    if (comment.user.type === 'User' || isSame(makerOf(comment.user), sender)) return null
    return { kind: 'place_touched', pull: issue.number, place: 'sticky', ref: String(comment.id), by: sender }
  }
  const body = comment.body ?? ''
  if (!mayCommand(body)) return null
  const by = makerOf(comment.user)
  return {
    kind: 'said',
    pull: issue.number,
    comment: comment.id,
    key: commentKey(comment.id),
    body,
    by,
    through: comment.performed_via_github_app?.slug ?? null,
    at: comment.created_at,
    found: found ? foundAs(comment) : null,
  }
})

const reviewStates = { approved: 'approved', changes_requested: 'changes_requested', commented: 'commented' } as const

const reviewShape = z.object({
  pull_request: pull,
  review: z.object({
    id: z.number(),
    body: z.string().nullish(),
    commit_id: z.string(),
    state: z.string(),
    submitted_at: z.string().nullish(),
    user: account,
    /** Of one that we came across. GitHub's webhooks have no such thing. */
    edited: z.boolean().default(true),
  }),
})

const review = reading(reviewShape, ({ pull_request, review }, { action, guid, by, found }) => {
  const { number } = pull_request
  const key = reviewKey(review.id)
  const at = review.submitted_at ?? pull_request.updated_at
  if (action === 'dismissed') {
    return {
      kind: 'review_dismissed',
      pull: number,
      key: `${dismissalKey(key)}${guid}`,
      review_key: key,
      by,
      at: pull_request.updated_at,
    }
  }
  const state = Object.entries(reviewStates).find(([name]) => name === review.state.toLowerCase())?.[1]
  if (action !== 'submitted' || state === undefined) return null
  const body = review.body ?? ''
  // A remark, such as our own, changes nothing.
  if (state === 'commented' && !mayCommand(body)) return null
  return {
    kind: 'reviewed',
    pull: number,
    key,
    by: makerOf(review.user),
    state,
    sha: review.commit_id,
    body,
    at,
    found: found ? (review.edited ? 'edited' : 'as it was') : null,
  }
})

const deploymentShape = z.object({
  environment: z.string(),
  sha: z.string(),
  deployment_callback_url: z.string(),
})
/** The run is named by the address alone at which the answer is awaited. */
const deployment = reading(deploymentShape, ({ environment, sha, deployment_callback_url: url }, { action }) => {
  const run = Number(/\/actions\/runs\/(\d+)\/deployment_protection_rule$/.exec(url)?.[1])
  return action === 'requested' && Number.isInteger(run) ? { kind: 'deployment_asked', sha, run, environment } : null
})

const readings: Readonly<Record<string, Reading>> = {
  pull_request: pullRequest,
  issue_comment: comment,
  pull_request_review: review,
  issues: issue,
  sub_issues: subIssue,
  issue_dependencies: dependency,
  check_run: checkRun,
  check_suite: checkSuite,
  deployment_protection_rule: deployment,
  merge_group: mergeGroup,
  push: pushed,
  status,
  workflow_run: workflowRun,
}
