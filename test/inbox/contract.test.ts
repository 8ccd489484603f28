// The same promises on PGlite and, when DATABASE_URL names a server to use, on Postgres.
import { madeStoreIn } from '../made-store.ts'
import { temporaryDirectory } from '../store/opened.ts'
import { inboxContract } from './contract.ts'
import { newPostgres } from './opened.ts'

const databaseUrl = process.env['DATABASE_URL']

inboxContract('the inbox in PGlite', async () => {
  const { directory, remove } = temporaryDirectory()
  return { place: madeStoreIn(directory), remove }
})
inboxContract(
  `the inbox in Postgres${databaseUrl === undefined ? ' (not tested: set DATABASE_URL=postgres://user@host/database)' : ''}`,
  databaseUrl === undefined ? null : () => newPostgres(databaseUrl),
)
