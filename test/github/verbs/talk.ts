// Pull requests and issues, and all that people do to them on their pages.
import { accountNamed, appNamed } from '../acts/accounts.ts'
import { addComment, commentOf, deleteComment, editComment } from '../acts/comments.ts'
import {
  addLabel,
  assign,
  closeIssue,
  editIssue,
  openIssue,
  deleteLabel,
  removeLabel,
  reopenIssue,
  type IssueEdit,
} from '../acts/issues.ts'
import { endGroup, mergePull, startGroup, type MergeMethod } from '../acts/merge.ts'
import { closePull, editPull, openPull, reopenPull, requestReview, setDraft, type PullEdit } from '../acts/pulls.ts'
import { link } from '../acts/links.ts'
import { lock, unlock } from '../acts/locks.ts'
import { endStack, makeStack } from '../acts/stacks.ts'
import { addReview, dismissReview, type LineComment, type ReviewEvent } from '../acts/reviews.ts'
import type { LockReason } from '../model.ts'
import { headOf } from '../routes/pulls.ts'
import { addBlocker, removeBlocker } from '../acts/dependencies.ts'
import { addSubIssue, removeSubIssue, type Placed } from '../acts/sub-issues.ts'
import { found, issueOf, pullOf, repoOf, type World } from '../world.ts'

type By = { readonly by: string }
export type NewPull = By & {
  readonly title: string
  readonly body?: string
  /** A branch, or `owner:branch` for one of a fork. */
  readonly head: string
  readonly base?: string
  readonly draft?: boolean
}
export type NewComment = By & {
  readonly body: string
  /** The App that writes it with the person's token. */
  readonly via?: string
}
export type NewReviewWish = By & {
  readonly event: ReviewEvent
  readonly body?: string
  readonly commit?: string
  readonly comments?: readonly (Pick<LineComment, 'path' | 'body' | 'line'> & Partial<LineComment>)[]
}

export function talkVerbs(world: World) {
  const who = (login: string) => accountNamed(world, login)
  const one = (repo: string, number: number) => [repoOf(world, repo), pullOf(repoOf(world, repo), number)] as const
  return {
    /** Gives the number. */
    openPull: (name: string, { head, base, body, title, draft = false, by }: NewPull): number => {
      const repo = repoOf(world, name)
      const [owner, headRef] = headOf(head)
      const from = [...world.state.repos.values()].find(
        (other) => other.objects === repo.objects && other.owner.login === owner,
      )
      const headRepo = owner === null ? repo : found(from)
      const options = { title, body: body ?? null, headRepo, headRef, baseRef: base ?? repo.defaultBranch, draft }
      return openPull(world, repo, { ...options, author: who(by) }).number
    },
    /** A new base retargets it. */
    editPull: (repo: string, number: number, { by, ...edit }: PullEdit & By) =>
      editPull(world, ...one(repo, number), edit, who(by)),
    setDraft: (repo: string, number: number, draft: boolean, by: string) =>
      setDraft(world, ...one(repo, number), draft, who(by)),
    closePull: (repo: string, number: number, by: string) => closePull(world, ...one(repo, number), who(by)),
    reopenPull: (repo: string, number: number, by: string) => reopenPull(world, ...one(repo, number), who(by)),
    closeIssue: (repo: string, number: number, by: string) =>
      closeIssue(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), who(by)),
    reopenIssue: (repo: string, number: number, by: string) =>
      reopenIssue(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), who(by)),
    /** Presses the button, which the rules of the branch may refuse. Gives the SHA of the merge. */
    merge: (
      repo: string,
      number: number,
      { by, method = 'merge', sha }: By & { readonly method?: MergeMethod; readonly sha?: string },
    ) => mergePull(world, ...one(repo, number), { by: who(by), method, sha: sha ?? null, title: null, message: null }),
    openIssue: (repo: string, { title, body, by }: By & { readonly title: string; readonly body?: string }) =>
      openIssue(world, repoOf(world, repo), { title, body: body ?? null, author: who(by) }).number,
    editIssue: (repo: string, number: number, { by, ...edit }: IssueEdit & By) =>
      editIssue(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), edit, who(by)),
    /** Links an issue to a pull request by hand, without closing words. Whose account is gone is told of as nobody. */
    linkIssue: (repo: string, number: number, issue: number, by: string | null = null) =>
      link(world, one(repo, number)[1], { issue, by: by === null ? null : who(by), made: true }),
    unlinkIssue: (repo: string, number: number, issue: number, by: string) =>
      link(world, one(repo, number)[1], { issue, by: who(by), made: false }),
    /** Gives the comment's id. */
    comment: (repo: string, number: number, { body, by, via }: NewComment) => {
      const app = via === undefined ? null : appNamed(world, via)
      return addComment(world, repoOf(world, repo), number, { body, author: who(by), app }).id
    },
    editComment: (repo: string, id: number, { body, by }: By & { readonly body: string }) =>
      editComment(world, repoOf(world, repo), commentOf(repoOf(world, repo), id), body, who(by)),
    deleteComment: (repo: string, id: number, by: string) =>
      deleteComment(world, repoOf(world, repo), commentOf(repoOf(world, repo), id), who(by)),
    /** Gives the review's id. */
    review: (repo: string, number: number, { by, event, body = '', commit, comments = [] }: NewReviewWish): number => {
      const usual = { startLine: null, side: 'RIGHT', subject: 'line', inReplyTo: null } as const
      const lines = comments.map((comment) => ({ ...usual, ...comment }))
      return addReview(world, ...one(repo, number), {
        author: who(by),
        event,
        body,
        commit: commit ?? null,
        comments: lines,
      }).id
    },
    dismiss: (repo: string, number: number, review: number, by: string) =>
      dismissReview(world, ...one(repo, number), found(repoOf(world, repo).reviews.get(review)), who(by)),
    requestReview: (repo: string, number: number, logins: readonly string[], by: string) =>
      requestReview(world, ...one(repo, number), { people: logins.map(who), teams: [] }, who(by)),
    label: (repo: string, number: number, label: string, by: string) =>
      addLabel(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), label, who(by)),
    /** Takes it from the repository, and with it from every issue. */
    deleteLabel: (repo: string, label: string) => deleteLabel(repoOf(world, repo), label),
    unlabel: (repo: string, number: number, label: string, by: string) =>
      removeLabel(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), label, who(by)),
    lock: (repo: string, number: number, reason: LockReason | null, by: string) =>
      lock(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), reason, who(by)),
    unlock: (repo: string, number: number, by: string) =>
      unlock(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), who(by)),
    /** Puts pull requests on top of each other, from the bottom to the top. Gives the number of the stack. */
    stack: (repo: string, numbers: readonly number[], by: string) =>
      makeStack(world, repoOf(world, repo), numbers, who(by)).number,
    unstack: (name: string, number: number): void => {
      const repo = repoOf(world, name)
      endStack(repo, found(repo.stacks.find((one) => one.number === number)))
    },
    addSubIssue: (repo: string, parent: number, below: number, by: string, elsewhere = repo) =>
      addSubIssue(world, placed(world, repo, parent), placed(world, elsewhere, below), who(by)),
    removeSubIssue: (repo: string, parent: number, below: number, by: string, elsewhere = repo) =>
      removeSubIssue(world, placed(world, repo, parent), placed(world, elsewhere, below), who(by)),
    addBlocker: (repo: string, blocked: number, blocking: number, by: string, elsewhere = repo) =>
      addBlocker(world, placed(world, repo, blocked), placed(world, elsewhere, blocking), who(by)),
    removeBlocker: (repo: string, blocked: number, blocking: number, by: string, elsewhere = repo) =>
      removeBlocker(world, placed(world, repo, blocked), placed(world, elsewhere, blocking), who(by)),
    assign: (repo: string, number: number, logins: readonly string[], by: string) =>
      assign(world, repoOf(world, repo), issueOf(repoOf(world, repo), number), logins.map(who), who(by)),
    /** Puts pull requests into the merge queue as one group, behind the groups that wait. */
    mergeGroup: (repo: string, numbers: readonly number[], by: string) =>
      startGroup(world, repoOf(world, repo), numbers, who(by)),
    /** The group of this head is merged, or falls out of the queue. */
    endGroup: (name: string, headSha: string, reason: 'merged' | 'invalidated' | 'dequeued', by: string): void => {
      const repo = repoOf(world, name)
      endGroup(world, repo, found(repo.groups.find((group) => group.headSha === headSha)), reason, who(by))
    },
  }
}

function placed(world: World, name: string, number: number): Placed {
  const repo = repoOf(world, name)
  return { repo, issue: issueOf(repo, number) }
}
