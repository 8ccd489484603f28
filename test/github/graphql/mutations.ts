// What this GitHub's GraphQL changes: drafts, which REST cannot, and comments, labels and check runs, which it can. The fields of one
// mutation are done one after the other, and one that fails does not undo the others.
import { addLabel, createLabel, removeLabel } from '../acts/issues.ts'
import { editComment } from '../acts/comments.ts'
import { setDraft } from '../acts/pulls.ts'
import { list, neededText, record, text, type Fields } from '../fields.ts'
import { actor, type Call } from '../wire/call.ts'
import { createRun, updateRun } from './check-mutations.ts'
import { commentNamed, labelNamed, pullNamed, repoNamed, reviewNamed } from './named.ts'
import { commentNode, labelNode } from './nodes.ts'
import { pull } from './schema.ts'

export function mutations(call: Call) {
  const change =
    (act: (input: Fields) => Fields) =>
    (args: Fields): Fields => {
      const input = record(args, 'input') ?? {}
      return { __typename: 'Payload', clientMutationId: text(input, 'clientMutationId'), ...act(input) }
    }
  const draft = (wanted: boolean) =>
    change((input) => {
      const [repo, one] = pullNamed(call, text(input, 'pullRequestId'))
      setDraft(call.world, repo, one, wanted, actor(call))
      return { pullRequest: pull(call.world, repo, one) }
    })
  const label = (act: typeof addLabel) =>
    change((input) => {
      const [repo, one] = pullNamed(call, text(input, 'labelableId'))
      const labels = (list(input, 'labelIds') ?? []).map((id) => labelNamed(repo, String(id)))
      for (const { name } of labels) act(call.world, repo, one, name, actor(call))
      return { labelable: pull(call.world, repo, one) }
    })
  return {
    __typename: 'Mutation',
    markPullRequestReadyForReview: draft(false),
    convertPullRequestToDraft: draft(true),
    addLabelsToLabelable: label(addLabel),
    removeLabelsFromLabelable: label(removeLabel),
    createLabel: change((input) => {
      const repo = repoNamed(call, text(input, 'repositoryId'))
      const fields = { name: neededText(input, 'name'), color: neededText(input, 'color') }
      return {
        label: labelNode(createLabel(call.world, repo, { ...fields, description: text(input, 'description') })),
      }
    }),
    createCheckRun: change(createRun(call)),
    updateCheckRun: change(updateRun(call)),
    updateIssueComment: change((input) => {
      const [repo, one] = commentNamed(call, text(input, 'id'))
      editComment(call.world, repo, one, neededText(input, 'body'), actor(call))
      return { issueComment: commentNode(one) }
    }),
    minimizeComment: change((input) => {
      const review = reviewNamed(call, text(input, 'subjectId'))
      review.minimized = neededText(input, 'classifier')
      const minimizedReason = review.minimized.toLowerCase()
      return { minimizedComment: { __typename: 'PullRequestReview', isMinimized: true, minimizedReason } }
    }),
  }
}
