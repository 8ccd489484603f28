// What GraphQL shows of small things: labels, comments, reviews, edits.
import type { Comment, Edit, Label, Review } from '../model.ts'
import { nodeId } from '../shapes/account.ts'
import { person } from './people.ts'

/** Newest first. The words as they were are shown to people only, so the difference is null. */
export const contentEdit = ({ editor, at }: Edit) => ({
  __typename: 'UserContentEdit',
  createdAt: at,
  editedAt: at,
  editor: person(editor),
  diff: null,
})

export const labelNode = ({ id, name, color, description }: Label) => ({
  __typename: 'Label',
  id: nodeId('LA', id),
  name,
  color,
  description,
})

export const commentNode = ({ id, body, author, createdAt }: Comment) => ({
  __typename: 'IssueComment',
  id: nodeId('IC', id),
  databaseId: id,
  fullDatabaseId: String(id),
  body,
  createdAt,
  author: person(author),
})

export const reviewNode = ({ id, author, body, state, commit, submittedAt, editedAt }: Review) => ({
  __typename: 'PullRequestReview',
  id: nodeId('PRR', id),
  databaseId: id,
  fullDatabaseId: String(id),
  author: person(author),
  body,
  state,
  submittedAt,
  lastEditedAt: editedAt,
  commit: { __typename: 'Commit', oid: commit },
})
