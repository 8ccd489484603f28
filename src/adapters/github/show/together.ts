// Several changes in one request, which GitHub takes over GraphQL and counts as one. It makes them one after the other, and
// one that fails does not undo the others, so each is answered for itself.
// https://docs.github.com/en/graphql/guides/forming-calls-with-graphql#about-mutations
import { z } from 'zod'
import type { GitHubClient } from '../access.ts'
import type { Named } from './node-ids.ts'
import { isRefusedQuery } from '../status.ts'

/** One field of a mutation: what it does, what it needs, and what it has to answer to count as done. */
export type Part = {
  readonly name: string
  readonly field: string
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>
}

/** A change that may go out with others: how many requests it is alone, and what has to be known for it. */
export type Wish = {
  readonly requests: number
  readonly needs: readonly Named[]
  readonly parts: (id: (thing: Named) => string) => readonly Part[]
}

/** What each part answered, by its name; one that was refused is missing. */
export async function changeTogether(
  octokit: GitHubClient,
  parts: readonly Part[],
  name = '',
): Promise<ReadonlyMap<string, unknown>> {
  const { text, values } = mutationOf(parts, name)
  const data = await octokit.graphql(text, values).catch((error: unknown) => {
    if (isRefusedQuery(error)) return partial.parse(error).data
    throw error
  })
  return new Map(Object.entries(answers.parse(data ?? {})).filter(([, answer]) => answer !== null))
}

const answers = z.record(z.string(), z.unknown())
const partial = z.object({ data: answers.nullish() })

export function mutationOf(parts: readonly Part[], operation = ''): { text: string; values: Record<string, unknown> } {
  const variables = parts.flatMap((part) => Object.entries(part.variables))
  const definitions = [...new Map(variables.map(([name, { type }]) => [name, `$${name}: ${type}`])).values()]
  const fields = parts.map(({ name, field }) => `  ${name}: ${field}`)
  return {
    text: `mutation ${operation}(${definitions.join(', ')}) {\n${fields.join('\n')}\n}`,
    values: Object.fromEntries(variables.map(([name, { value }]) => [name, value])),
  }
}
