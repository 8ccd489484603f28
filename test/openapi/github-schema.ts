// GitHub's published GraphQL schema, as it is printed: the other copy of it in the same package knows nothing of what stands above an
// issue, and that is the one by which the package itself would look.
import { schema } from '@octokit/graphql-schema'
import { buildSchema, parse, validate as held, type GraphQLError } from 'graphql'

const printed = buildSchema(schema.idl, { assumeValidSDL: true })

/** What GitHub would find wrong with a question. */
export const validate = (question: string): readonly GraphQLError[] => held(printed, parse(question))
