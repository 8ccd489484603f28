// What a reviewer asks to see, in its own words: paths, lines of them, and names that the repository has.
import { describe, expect, test } from 'vitest'
import { askedFor } from '../../src/verifier/context/asked.ts'

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n')
const files: Readonly<Record<string, string>> = {
  'src/a.ts': numbered(100),
  'src/large.ts': numbered(1_000),
  'src/roles.ts': 'import x\n\nexport function isOwner(user) {\n  return user.owns\n}\n\nexport const later = 1\n',
  'lib/roles.py': '# roles\ndef is_owner(user):\n    return user.owns\n',
  Makefile: 'all:\n\tbuild\n',
}
const texts = { paths: Object.keys(files), textOf: (path: string) => files[path] ?? null, searchable: true }
const asked = (...words: string[]) => {
  const { candidates } = askedFor(words, texts)
  return candidates.map(({ path, from, to, name }) => `${path} ${from}-${to}${name === '' ? '' : ` ${name}`}`)
}

describe('a reviewer asks for', () => {
  test.each<[string, string[]]>([
    ['src/a.ts', ['src/a.ts 1-100']],
    ['the file ./src/a.ts, please', ['src/a.ts 1-100']],
    ['I need src/a.ts.', ['src/a.ts 1-100']],
    ['src/large.ts', ['src/large.ts 1-200']],
    ['src/large.ts:500', ['src/large.ts 470-530']],
    ['src/large.ts#L500-L510', ['src/large.ts 470-540']],
    ['src/large.ts:500-510', ['src/large.ts 470-540']],
    ['src/large.ts lines 500 to 510', ['src/large.ts 470-540']],
    ['src/large.ts, line 500', ['src/large.ts 470-530']],
    ['src/large.ts:10', ['src/large.ts 1-40']],
    ['src/large.ts:990', ['src/large.ts 960-1000']],
    ['src/large.ts:500-100', ['src/large.ts 470-530']],
    ['src/large.ts:100-900', ['src/large.ts 70-330']],
    ['Makefile', ['Makefile 1-3']],
    ['src/b.ts', []],
    ['isOwner', ['src/roles.ts 3-5 isOwner']],
    ['where isOwner is defined', ['src/roles.ts 3-5 isOwner']],
    ['what `isOwner` does', ['src/roles.ts 3-5 isOwner']],
    ['how is_owner works', ['lib/roles.py 1-3 is_owner']],
    ['what later does', []],
    ['what later() does', ['src/roles.ts 7-7 later']],
    ['what "later" does', ['src/roles.ts 7-7 later']],
    ['everything about users', []],
  ])('%s', (words, expected) => {
    expect(asked(words)).toEqual(expected)
  })

  test('no more than a dozen things', () => {
    expect(asked(...Array.from({ length: 13 }, (_, at) => `src/large.ts:${(at + 1) * 70}`))).toHaveLength(12)
  })

  test('a name that is defined in many places four of them, the first first', () => {
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`src/${at}.ts`, 'export function isOwner(user) {\n  return 1\n}\n']),
    )
    const all = { paths: Object.keys(many), textOf: (path: string) => many[path] ?? null, searchable: true }
    const { candidates } = askedFor(['isOwner'], all)
    expect(candidates.map(({ path, worth }) => [path, worth])).toEqual([
      ['src/0.ts', 100],
      ['src/1.ts', 99],
      ['src/2.ts', 98],
      ['src/3.ts', 97],
    ])
  })

  test('a name where not every file can be read', () => {
    const some = { ...texts, searchable: false }
    expect(askedFor(['isOwner'], some)).toEqual({ candidates: [], notes: ['names could not be looked for'] })
    expect(askedFor(['src/a.ts'], some)).toMatchObject({ candidates: [{ path: 'src/a.ts' }], notes: [] })
  })

  test('a file that is no text', () => {
    const none = { paths: ['logo.png'], textOf: () => null, searchable: true }
    expect(askedFor(['logo.png', 'isOwner'], none)).toEqual({ candidates: [], notes: [] })
  })
})
