// Changes of any size, and how they are packed for whoever reads them.
import { redactor } from '../../src/verifier/asking/clean.ts'
import type { Change } from '../../src/verifier/change/change.ts'
import { pack } from '../../src/verifier/change/pack.ts'
import { aFile, guardLines } from './lab.ts'

type Wishes = { readonly model?: string; readonly unseenOk?: readonly string[] }

export const packed = (change: Change, { model = 'claude-sonnet-5-5', unseenOk = [] }: Wishes = {}) =>
  pack(change, redactor([]), { protectedPaths: ['.github/**'], unseenOk, model })
/** Three changed lines. */
export const guard = aFile('src/users.ts', guardLines)
export const many = (count: number, sign: '+' | '-' = '+'): string[] =>
  Array.from({ length: count }, (_, at) => `${sign}const value${at} = compute(${at})`)
