// What of a line proves something: its code, and never what its author wrote beside it.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { findEvidence } from '../../src/verifier/weighing/evidence.ts'
import { aChange, aFile, aModel, guardLines, outcomeOf, saysPass, type Said } from './lab.ts'

const codeOf = (path: string, ...lines: string[]): string[] =>
  presentedFile(aFile(path, lines), redactor([])).hunks.flatMap((hunk) => hunk.lines.map(({ code }) => code.trim()))

describe('what of a line is code', () => {
  // prettier-ignore
  test.each<[string, string[], string[]]>([
    ['a.ts', ['+// only admins', '+guard(user) // only admins', "+const url = 'http://a.b'"], ['', 'guard(user)', "const url = 'http://a.b'"]],
    ['a.ts', ['+/* only', '+   admins */ guard(user)', '+/** doc', '+ * only admins', '+ */'], ['', 'guard(user)', '', '', '']],
    ['a.ts', ['   admins may', '+  only */', '+guard(user)'], ['', '', 'guard(user)']],
    ['a.ts', ["+'only admins may delete'", "+log('only admins')"], ['', "log('only admins')"]],
    ['a.py', ['+def f():', '+    """Only admins', '+    may delete."""', '+    guard(user)  # admins', '+    text = """not code"""'], ['def f():', '', '', 'guard(user)', 'text = """not code"""']],
    ['a.rs', ["+fn f<'a>(x: &'a str) // only admins", "+let c = '\\'';"], ["fn f<'a>(x: &'a str)", "let c = '\\'';"]],
    ['a.yml', ['+# only admins', '+name: a#b', '+who: admin # only'], ['', 'name: a#b', 'who: admin']],
    ['a.sql', ['+-- only admins', '+delete from t -- only'], ['', 'delete from t']],
    ['a.html', ['+<!-- only', '+admins -->', '+<p>text</p>'], ['', '', '<p>text</p>']],
    ['a.md', ['+# A heading', '+[//]: # (only admins)', '+<!-- only admins -->'], ['# A heading', '', '']],
    ['Makefile', ['+# only admins', '+all: test'], ['', 'all: test']],
    ['a.unknown', ['+// only admins', '+# only admins', '+guard(user)'], ['', '', 'guard(user)']],
    ['a.php', ['+# only admins', '+guard($user); # only', "+$a = 'x#y';"], ['', 'guard($user);', "$a = 'x#y';"]],
    ['main.tf', ['+// only admins', '+a = b # only', '+source = "git::https://a.b//c"'], ['', 'a = b', 'source = "git::https://a.b//c"']],
    ['a.vb', ["+' only admins", '+REM only admins', "+Guard(user) ' only"], ['', '', 'Guard(user)']],
    ['a.coffee', ['+guard user # only admins', '+"#{user} may"'], ['guard user', '']],
    ['a.bat', ['+REM only admins', '+@rem only admins', '+:: only admins', '+del a'], ['', '', '', 'del a']],
    ['a.f90', ['+! only admins', '+x = 1 ! only'], ['', 'x = 1']],
    ['a.html.twig', ['+{# only', '+admins #} {{ user }}'], ['', '{{ user }}']],
    ['a.hbs', ['+{{!-- only admins --}}{{#if user}}', '+{{! only }}'], ['{{#if user}}', '']],
    ['a.svelte', ['+{#if user}', '+<!-- only admins -->'], ['{#if user}', '']],
    ['a.erb', ['+<%# only admins %><%= user %>'], ['<%= user %>']],
    ['a.sql', ['+# only admins', '+select 1 # only'], ['', 'select 1']],
    ['a.ini', ['+# only admins', '+; only admins', '+user = admin ; only', '+color = a#b'], ['', '', 'user = admin', 'color = a#b']],
    ['a.ps1', ['+<# only', '+admins #>', '+Guard $user # only'], ['', '', 'Guard $user']],
    ['a.ml', ['+(* only admins *) guard user'], ['guard user']],
    ['a.unknown', ['+guard user # only admins', '+guard(user) // only admins', "+' only admins", '+rem only admins', '+! only admins', '+{# only #}', '+a#b !c'], ['guard user', 'guard(user)', '', '', '', '', 'a#b !c']],
    ['a.ts', ['+guard(user)\u200b', `+${'x'.repeat(2_001)}`], ['', '']],
  ])('%s %j', (path, lines, code) => expect(codeOf(path, ...lines)).toEqual(code))

  test('a removed line is within what the old side has', () => {
    expect(codeOf('a.ts', '-/* begun', '+/* begun and ended */', ' const a = 1', '-ended */', ' const b = 2')).toEqual([
      '',
      '',
      'const a = 1',
      '',
      'const b = 2',
    ])
  })
})

describe('a yes', () => {
  const lines = [
    ...guardLines,
    '+// only administrators may delete a user here',
    '+check(user) // only administrators may delete a user',
    '+}',
  ]
  const change = aChange([aFile('src/users.ts', lines)])
  const showing = (line: number, quote: string, more: Said = {}) =>
    aModel((request): Said => {
      const pass = saysPass(request, more)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      const evidence = [{ path: 'src/users.ts', side: 'new', line, quote }]
      return { ...pass, probes: probes.map((one: Said) => ({ ...one, evidence })) }
    })
  const spoken = { path: 'src/users.ts', side: 'new', line: 6, quote: 'check(user)' }
  test.each([
    ['by code', showing(6, 'check(user)'), 'PASS'],
    ['by code and what stands beside it', showing(6, 'check(user) // only administrators may delete a user'), 'PASS'],
    ['by a comment', showing(5, '// only administrators may delete a user here'), 'REFER cannot_tell'],
    ['by a part of a comment', showing(5, 'administrators may delete'), 'REFER cannot_tell'],
    ['by what stands beside code', showing(6, 'only administrators may delete a user'), 'REFER cannot_tell'],
    ['by a lone brace', showing(7, '}'), 'REFER cannot_tell'],
    [
      'by a line that speaks to its reviewer',
      showing(6, 'check(user)', { suspicious_text: [spoken] }),
      'REFER cannot_tell',
    ],
  ])('%s', async (_title, model, expected) => {
    expect(await outcomeOf({ model, change })).toBe(expected)
  })

  test('but a comment can show what is wrong', () => {
    const presented = { files: [presentedFile(aFile('src/users.ts', lines), redactor([]))], checks: [] }
    const quote = '// only administrators may delete a user here'
    expect(findEvidence({ path: 'src/users.ts', side: 'new', line: 5, quote }, presented)).toEqual({
      outcome: 'verified',
      line: 5,
      proves: false,
    })
  })
})
