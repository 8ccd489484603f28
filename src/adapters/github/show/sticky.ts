// The sticky comment: one per pull request, edited in place. https://docs.github.com/en/rest/issues/comments
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { stickyMarker } from '../../../core/words/report.ts'
import { botOf, type Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { fitting } from './fitting.ts'
import type { FoundPlaces } from './found.ts'
import type { Named, NodeIds } from './node-ids.ts'
import { orMissing } from '../status.ts'
import type { Wish } from './together.ts'

export type Sticky = Extract<Shown, { kind: 'sticky' }>
export type StickyParts = { readonly found: FoundPlaces; readonly ids: NodeIds }

export function stickyWish({ body }: Sticky, ref: string): Wish {
  const comment: Named = `comment ${Number(ref)}`
  return {
    requests: 1,
    needs: [comment],
    parts: (id) => [
      {
        name: 'sticky',
        field: 'updateIssueComment(input: { id: $comment, body: $body }) { issueComment { id } }',
        variables: {
          comment: { type: 'ID!', value: id(comment) },
          body: { type: 'String!', value: fitting(body, 'comment') },
        },
      },
    ],
  }
}

/** Without a reference it may still be there from before a crash. */
export async function showSticky(
  access: Access,
  { found, ids }: StickyParts,
  shown: Sticky,
  ref: string | null,
): Promise<{ ref: string }> {
  const { octokit, place } = access
  const { pull } = shown
  const body = fitting(shown.body, 'comment')
  const edit = (comment_id: number) => orMissing(octokit.rest.issues.updateComment({ ...place, comment_id, body }))
  if (ref !== null && (await edit(Number(ref))) !== null) return { ref }
  const ours = found.takeComments(pull) === 0 ? null : await ownComment(access, pull)
  if (ours !== null) {
    await edit(ours)
    return { ref: String(ours) }
  }
  const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: pull, body })
  ids.learn(`comment ${data.id}`, data.node_id)
  return { ref: String(data.id) }
}

/** Ours is among the first; whoever commented a thousand times before it makes us write another. */
const PAGES_MAX = 10

async function ownComment(access: Access, issue_number: number): Promise<number | null> {
  const { octokit, place } = access
  const comments = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, issue_number, per_page: PER_PAGE, page, request: { fresh: true } }
    return (await octokit.rest.issues.listComments(asked)).data
  })
  const ours = comments.find(({ user, body }) => user?.login === botOf(access) && body?.startsWith(stickyMarker))
  return ours?.id ?? null
}
