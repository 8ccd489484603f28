// What the store needs of a database: a statement with values, and several statements that hold or fall together.
// Both drivers fit it, so every statement is written once, in the dialect that Postgres and PGlite share.

export type Row = Readonly<Record<string, unknown>>
export type Query = (statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>

export interface Sql {
  readonly query: Query
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * What both are told at each start. In a storm the figures by which a statement is planned are old: a long queue is taken for a
 * short one, of which all is collected and sorted at each look, though an index has it in order.
 */
export const neverCollects = 'enable_bitmapscan = off'
