// The same promises for every store. Postgres joins when DATABASE_URL names a server to use.
import { storeContract } from './contract.ts'
import { embeddedSql, openedMemory, openedSql, postgresSql } from './opened.ts'

const databaseUrl = process.env['DATABASE_URL']
const openPostgresStore = async (url: string) => openedSql(await postgresSql(url))

storeContract('the store in memory', openedMemory)
storeContract('the store in PGlite', async () => openedSql(await embeddedSql()))
storeContract(
  `the store in Postgres${databaseUrl === undefined ? ' (not tested: set DATABASE_URL=postgres://user@host/database)' : ''}`,
  databaseUrl === undefined ? null : () => openPostgresStore(databaseUrl),
)
