// What GraphQL calls the things that REST knows by a number or a name. Learned from what is read and written anyway, and
// asked for where something is missing.
import { z } from 'zod'
import type { Access } from '../access.ts'

export type Named = 'repository' | `pull ${number}` | `comment ${number}` | `label ${string}` | `run ${number}`
export type NodeIds = {
  readonly get: (thing: Named) => string | undefined
  readonly learn: (thing: Named, id: string | undefined) => void
}

const IDS_MAX = 10_000

export function nodeIds(): NodeIds {
  const known = new Map<Named, string>()
  return {
    get: (thing) => known.get(thing),
    learn: (thing, id) => {
      if (id === undefined) return
      if (known.size >= IDS_MAX) known.clear()
      known.set(thing, id)
    },
  }
}

/** GitHub tells labels apart without regard to case. */
export const labelNamed = (name: string): Named => `label ${name.toLowerCase()}`

const LABELS_MAX = 50
/** Our labels, wherever a question is about a repository anyway. */
export const labelsField = `labels(first: ${LABELS_MAX}, query: "countersign") { nodes { id name } }`

const labels = z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) })
export const repositoryShape = z.object({ id: z.string(), labels: labels.nullable() })

export function learnRepository(ids: NodeIds, { id, labels: there }: z.output<typeof repositoryShape>): void {
  ids.learn('repository', id)
  for (const { id: label, name } of there?.nodes ?? []) ids.learn(labelNamed(name), label)
}

export const pageQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    id
    ${labelsField}
    pullRequest(number: $number) {
      id
      labels(first: 100) { nodes { name } }
      comments(first: 100) { nodes { id fullDatabaseId } }
    }
  }
}`
const answerShape = z.object({
  repository: repositoryShape.extend({
    pullRequest: z.object({
      id: z.string(),
      labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
      comments: z.object({ nodes: z.array(z.object({ id: z.string(), fullDatabaseId: z.coerce.number() })) }),
    }),
  }),
})

/** Everything that the page of a pull request is made of; answers the labels that it bears. */
export async function learnPage(ids: NodeIds, { octokit, place }: Access, pull: number): Promise<readonly string[]> {
  const asked = { owner: place.owner, name: place.repo, number: pull }
  const { repository } = answerShape.parse(await octokit.graphql(pageQuery, asked))
  learnRepository(ids, repository)
  ids.learn(`pull ${pull}`, repository.pullRequest.id)
  for (const { id, fullDatabaseId } of repository.pullRequest.comments.nodes) ids.learn(`comment ${fullDatabaseId}`, id)
  return (repository.pullRequest.labels?.nodes ?? []).map(({ name }) => name)
}
