// Another spelling of the same code is the same code; another value, sign or condition is not.
import { expect, test } from 'vitest'
import { holds, holdsAlike, tokensIn } from '../../src/verifier/weighing/same-code.ts'

const same = (before: string, ...after: string[]): boolean => holds(tokensIn(after), tokensIn([before]))
const alike = (before: string, after: string): boolean => holdsAlike(tokensIn([after]), tokensIn([before]))

const guard = 'if (!me.isAdmin) throw new Forbidden()'
// prettier-ignore
test.each<[string, string, string[], boolean]>([
  ['white space', guard, ['if(! me.isAdmin)   throw new Forbidden( )'], true],
  ['parentheses', guard, ['if ((!me.isAdmin)) throw (new Forbidden())'], true],
  ['parentheses around a name', guard, ['if (!(me).isAdmin) throw new Forbidden();'], true],
  ['line breaks', guard, ['if (', '  !me.isAdmin', ') throw new Forbidden()'], true],
  ['other quotes', "log('x')", ['log("x")'], true],
  ['more around it', 'total = a + b', ['const total = a + b'], true],
  ['parentheses that group', 'total = a + b * c', ['total = (a + b) * c'], false],
  ['another sign', 'total = a + b', ['total = a - b'], false],
  ['another value', 'limit = 10', ['limit = 100'], false],
  ['one more condition', guard, ['if (me === null || !me.isAdmin) throw new Forbidden()'], false],
])('%s', (_title, before, after, is) => expect(same(before, ...after)).toBe(is))

test('another name is alike, another sign is not', () => {
  expect(alike(guard, 'if (!user.isAdmin) throw new Forbidden()')).toBe(true)
  expect(alike(guard, 'if (user.isAdmin) throw new Forbidden()')).toBe(false)
  expect(alike('total = a + b', 'sum = x + y')).toBe(false)
})
