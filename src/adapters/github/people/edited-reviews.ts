// Whether the text of a review is what its author wrote. Whoever may write in a repository may change it, and REST does not tell.
// https://docs.github.com/en/graphql/reference/objects#pullrequestreview
import { z } from 'zod'
import type { Access } from '../access.ts'
import { isUntold } from '../traffic/graphql-away.ts'

/** GitHub gives no more at once; of older ones nobody can tell. */
const REVIEWS_MAX = 100

export const editedReviewsQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) { reviews(last: ${REVIEWS_MAX}) { nodes { fullDatabaseId lastEditedAt } } }
  }
}`

const answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviews: z.object({
        nodes: z.array(z.object({ fullDatabaseId: z.coerce.number(), lastEditedAt: z.string().nullable() })),
      }),
    }),
  }),
})

/** The reviews of a pull request of which GitHub says that nobody changed them. */
export async function asTheyWere(
  { octokit, place }: Pick<Access, 'octokit' | 'place'>,
  number: number,
): Promise<ReadonlySet<number>> {
  try {
    const asked = { owner: place.owner, name: place.repo, number }
    const { data } = answer.safeParse(await octokit.graphql(editedReviewsQuery, asked))
    const nodes = data?.repository.pullRequest.reviews.nodes ?? []
    return new Set(nodes.filter((one) => one.lastEditedAt === null).map((one) => one.fullDatabaseId))
  } catch (error) {
    if (isUntold(error)) return new Set()
    throw error
  }
}
