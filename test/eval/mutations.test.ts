// Which small changes are made to JavaScript text for sets of mutants: code and nothing else, each in one place; and rewrites
// that cannot change what it does.
import { expect, test } from 'vitest'
import { mutationsOf, rewritesOf } from '../../src/entry/cli/building/mutations.ts'

const becoming = (text: string): string[] => mutationsOf(text).map(({ becomes }) => becomes)

test.each<[string, readonly string[]]>([
  ['x = a === b', ['x = a !== b']],
  ['x = a < b && c', ['x = a <= b && c', 'x = a < b || c']],
  ['x = list[0]', ['x = list[1]']],
  ['if (!done) go()', ['if (done) go()']],
  ['x = true', ['x = false']],
  ['// a < b', []],
  ['/* a < b */', []],
  ["x = 'a < b'", []],
  ['x = "a \\" < b"', []],
  ['x = `a < b`', []],
  ['x = /a < b/', []],
  ['x = 10', []],
])('%s', (text, mutants) => {
  expect(becoming(text)).toEqual(mutants)
})

test('a comment over lines keeps the lines behind it in their places', () => {
  expect(mutationsOf('/* a < b\n a < b */\nx = a < b')).toEqual([{ line: 3, was: 'x = a < b', becomes: 'x = a <= b' }])
})

test.each<[string, string, readonly string[]]>([
  ['a comparison is turned round', 'if (a === b) {', ['if (b === a) {']],
  ['not one of calls, whose order counts', 'if (a() === b()) {', []],
  ['a value gets a name', 'f(() => {\n  return g(x)\n})', ['  const answer = g(x)\n  return answer']],
  ['not where the name is taken', 'f((answer) => {\n  return g(x)\n})', []],
  ['not below a head without braces', 'if (x)\n  return g(x)', []],
  ['nor below an else', 'else\n  return g(x)', []],
])('%s', (_title, text, rewrites) => {
  expect(rewritesOf(text).map(({ becomes }) => becomes)).toEqual(rewrites)
})
