// People and bots as GraphQL shows them. Their numbers stand on the concrete types only, never on `Actor`.
import type { Commit, Signature } from '../git/objects.ts'
import type { Account } from '../model.ts'
import { nodeId } from '../shapes/account.ts'
import { accountByEmail } from '../shapes/commit.ts'
import type { World } from '../world.ts'

export const person = (account: Account) => ({
  __typename: account.type,
  id: nodeId('U', account.id),
  databaseId: account.id,
  login: account.type === 'Bot' ? account.graphqlLogin : account.login,
})

/** Only an account of a person is a user: what a bot committed has none. */
export function gitActor(world: World, { email, name, date }: Signature) {
  const account = accountByEmail(world, email)
  return { __typename: 'GitActor', date, email, name, user: account?.type === 'User' ? person(account) : null }
}

const trailer = /^co-authored-by:\s*(.*?)\s*<([^<>]+)>\s*$/gim

/** The author and whom the message names as co-authors, each once. */
export function authorsOf(world: World, { author, message }: Pick<Commit, 'author' | 'message'>) {
  const named = Array.from(message.matchAll(trailer), ([, name = '', email = '']) => ({ ...author, name, email }))
  const once = new Map([author, ...named].map((one) => [one.email.toLowerCase(), one]))
  return [...once.values()].map((one) => gitActor(world, one))
}
