// The sticky comment: one per pull request, edited in place. https://docs.github.com/en/rest/issues/comments
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { stickyMarker } from '../../../core/words/report.ts'
import type { Access } from '../access.ts'
import { ownComment } from './comment.ts'
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

const isPage = (body: string): boolean => body.startsWith(stickyMarker)

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
  const ours = found.takeComments(pull) === 0 ? null : await ownComment(access, pull, isPage)
  if (ours !== null) {
    await edit(ours)
    return { ref: String(ours) }
  }
  const { data } = await octokit.rest.issues.createComment({ ...place, issue_number: pull, body })
  ids.learn(`comment ${data.id}`, data.node_id)
  return { ref: String(data.id) }
}
