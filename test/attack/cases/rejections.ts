// A rejection stands, and somebody tries to get rid of it without the person who rejected: a new commit of the same tree,
// a new pull request, a dismissal. The build passes on every commit, so that nothing else is in the way.
import type { Shop } from '../../app/lab/shop.ts'
import { each, type Case, type Role, type Scene } from '../case.ts'

type Rejected = {
  readonly shop: Shop
  readonly number: number
  readonly sha: string
  readonly review: number | null
  readonly comment: number | null
}
type Rejection = readonly [string, (scene: Scene, shop: Shop, number: number) => Pick<Rejected, 'review' | 'comment'>]
/** By what it is done, and the number of the comment or the review. */
const rejections: readonly Rejection[] = [
  [
    '`/reject`',
    ({ github }, { name }, number) => ({
      comment: github.comment(name, number, { body: '/reject not this way', by: 'bob' }),
      review: null,
    }),
  ],
  [
    'a review that requests changes',
    ({ github }, { name }, number) => ({
      review: github.review(name, number, { by: 'bob', event: 'REQUEST_CHANGES', body: 'not this way' }),
      comment: null,
    }),
  ],
]

type Shake = readonly [string, Role, (scene: Scene, rejected: Rejected) => string]
/** Gives the commit that must not be green then. */
const shakes: readonly Shake[] = [
  ['an empty commit on top', 'agent', ({ github }, { shop }) => github.push(shop.name, 'feature', { author: 'agent' })],
  [
    'a change and its revert',
    'agent',
    ({ github }, { shop, sha }) => {
      const kept = github.fileAt(shop.name, sha, 'src/shop.ts')
      github.push(shop.name, 'feature', { files: { 'src/shop.ts': 'other\n' }, author: 'agent' })
      return github.push(shop.name, 'feature', { files: { 'src/shop.ts': kept }, author: 'agent' })
    },
  ],
  [
    'the same tree as another commit, forced',
    'agent',
    ({ github }, { shop, sha }) =>
      github.push(shop.name, 'feature', {
        from: 'main',
        files: { 'src/shop.ts': github.fileAt(shop.name, sha, 'src/shop.ts') ?? '' },
        message: 'Once more',
        author: 'agent',
      }),
  ],
  [
    'a new pull request of the same commit',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.moveBranch(shop.name, 'again', 'feature', 'agent')
      github.closePull(shop.name, number, 'agent')
      github.openPull(shop.name, { title: 'Again', head: 'again', by: 'agent' })
      return sha
    },
  ],
  [
    'a new pull request of the same tree by somebody else',
    'writer',
    ({ github }, { shop, number, sha }) => {
      github.closePull(shop.name, number, 'agent')
      const file = github.fileAt(shop.name, sha, 'src/shop.ts') ?? ''
      const again = github.push(shop.name, 'again', { from: 'main', files: { 'src/shop.ts': file }, author: 'eve' })
      github.openPull(shop.name, { title: 'Again', head: 'again', by: 'eve' })
      return again
    },
  ],
  [
    'closed and opened again',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.closePull(shop.name, number, 'agent')
      github.reopenPull(shop.name, number, 'agent')
      return sha
    },
  ],
  [
    'a draft and back',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.setDraft(shop.name, number, true, 'agent')
      github.setDraft(shop.name, number, false, 'agent')
      return sha
    },
  ],
  [
    'another base and back',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.push(shop.name, 'release', { files: { 'notes.md': 'x' }, author: 'cleo' })
      for (const base of ['release', 'main']) github.editPull(shop.name, number, { base, by: 'agent' })
      return sha
    },
  ],
  [
    'a revocation by its builder',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.comment(shop.name, number, { body: '/revoke', by: 'agent' })
      return sha
    },
  ],
  [
    'the comment deleted or the review dismissed by its builder',
    'agent',
    ({ github }, { shop, number, sha, review, comment }) => {
      if (review !== null) github.dismiss(shop.name, number, review, 'agent')
      if (comment !== null) github.deleteComment(shop.name, comment, 'agent')
      return sha
    },
  ],
  [
    'the comment emptied or the review dismissed by a writer of the same rank',
    'writer',
    ({ github }, { shop, number, sha, review, comment }) => {
      if (review !== null) github.dismiss(shop.name, number, review, 'eve')
      if (comment !== null) github.editComment(shop.name, comment, { body: '/revoke', by: 'eve' })
      return sha
    },
  ],
  [
    'an approval by a writer of the same rank',
    'writer',
    ({ github }, { shop, number, sha }) => {
      github.review(shop.name, number, { by: 'eve', event: 'APPROVE' })
      return sha
    },
  ],
  [
    'the title and the words edited',
    'agent',
    ({ github }, { shop, number, sha }) => {
      github.editPull(shop.name, number, { title: 'Another task', body: 'which nobody rejected', by: 'agent' })
      return sha
    },
  ],
  [
    'an approval by the same person of another pull request of the task',
    'agent',
    ({ github }, { shop, sha }) => {
      github.push(shop.name, 'second', { from: 'main', files: { 'src/b.ts': 'two\n' }, author: 'agent' })
      const second = github.openPull(shop.name, { title: 'Two', head: 'second', body: 'closes #1', by: 'agent' })
      github.review(shop.name, second, { by: 'bob', event: 'APPROVE' })
      return sha
    },
  ],
]

export const rejectionCases: readonly Case[] = each(rejections, shakes, ([by, reject], [words, role, shake]) => ({
  role,
  name: `${by} is met with ${words}`,
  play: async (scene) => {
    const shop = await scene.shop()
    scene.github.openIssue(shop.name, { title: 'A task', body: 'Make it better.', by: 'ada' })
    const sha = await shop.push()
    const number = await shop.open('agent', { body: 'closes #1' })
    await shop.build(sha, 'success')
    scene.given((await shop.check(sha)).startsWith('success'), 'the change is green before')
    const rejected = reject(scene, shop, number)
    await scene.settled()
    scene.given(!(await shop.check(sha)).startsWith('success'), 'the rejection counts')
    // An approval may have been under way when the head moved: what is asked is the end of each move.
    const after = shake(scene, { shop, number, sha, ...rejected })
    scene.never(shop, after)
    await shop.build(after, 'success')
  },
}))
