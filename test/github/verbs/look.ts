// What a person sees on the page of a pull request or an issue, in plain values: for transcripts, and to compare how
// two histories ended. Nothing in it depends on ids or on time.
import { newestRuns } from '../outlook.ts'
import { commentsOf } from '../shapes/issue.ts'
import type { CheckRun } from '../checks-model.ts'
import type { Issue, Repo } from '../model.ts'
import { isPull, issueOf, repoOf, type PullIssue, type World } from '../world.ts'

export function lookVerbs(world: World) {
  return {
    /** The page of a pull request or an issue. */
    look: (name: string, number: number) => {
      const repo = repoOf(world, name)
      const issue = issueOf(repo, number)
      return { ...talk(repo, issue), pull: isPull(issue) ? pullPart(repo, issue) : null }
    },
    /** The newest check run of each name and App on a commit, and the newest status of each context. */
    checksOn: (name: string, sha: string) => checksOn(repoOf(world, name), sha),
    /** Every check run on a commit, oldest first. */
    allChecksOn: (name: string, sha: string) => (repoOf(world, name).checksBySha.get(sha) ?? []).map(shownRun),
  }
}

const talk = (repo: Repo, issue: Issue) => ({
  title: issue.title,
  state: issue.state,
  labels: [...issue.labels].sort(),
  comments: commentsOf(repo, issue.number).map(({ author, body, reactions }) => ({
    by: author.login,
    body,
    reactions: reactions.map(({ user, content }) => `${user.login} ${content}`),
  })),
})

function pullPart(repo: Repo, { number, pull }: PullIssue) {
  return {
    draft: pull.draft,
    merged: pull.mergedAt !== null,
    head: pull.headSha,
    base: pull.baseRef,
    reviews: [...repo.reviews.values()]
      .filter((review) => review.pull === number)
      .map(({ author, state, body, commit, minimized }) => ({ by: author.login, state, body, commit, minimized })),
    lineComments: [...repo.reviewComments.values()]
      .filter((comment) => comment.pull === number)
      .map(({ author, path, line, body }) => ({ by: author.login, path, line, body })),
    checks: checksOn(repo, pull.headSha),
  }
}

const checksOn = (repo: Repo, sha: string) => ({
  runs: newestRuns(repo, sha).map(shownRun),
  statuses: [...new Map((repo.statuses.get(sha) ?? []).map((one) => [one.context, one])).values()].map(
    ({ context, state, description }) => ({ context, state, description }),
  ),
})

const shownRun = (run: CheckRun) => ({
  name: run.name,
  app: run.suite.app.slug,
  status: run.status,
  conclusion: run.conclusion,
  title: run.title,
  summary: run.summary,
  text: run.text,
})
