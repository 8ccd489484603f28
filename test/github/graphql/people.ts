// People and bots as GraphQL shows them. Their numbers stand on the concrete types only, never on `Actor`.
import type { Signature } from '../git/objects.ts'
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
