// Where the tests put an inbox: a directory of its own, and a database of its own on the server that DATABASE_URL names.
import { madeStoreIn } from '../made-store.ts'
import { temporaryDirectory } from '../store/opened.ts'
import { newPostgres } from './opened.ts'

export const databaseUrl = process.env['DATABASE_URL']

export type Place = { readonly place: string; readonly remove: () => unknown }

export async function inDirectory(): Promise<Place> {
  const { directory, remove } = temporaryDirectory()
  return { place: madeStoreIn(directory), remove }
}

/** Null where no server is named. */
export const onServer: (() => Promise<Place>) | null = databaseUrl === undefined ? null : () => newPostgres(databaseUrl)
