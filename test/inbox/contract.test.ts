// The same promises on PGlite and, when DATABASE_URL names a server to use, on Postgres.
import { inboxContract } from './contract.ts'
import { inDirectory, onServer } from './places.ts'

inboxContract('the inbox in PGlite', inDirectory)
inboxContract(
  `the inbox in Postgres${onServer === null ? ' (not tested: set DATABASE_URL=postgres://user@host/database)' : ''}`,
  onServer,
)
