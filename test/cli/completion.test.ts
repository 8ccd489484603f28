// What a shell completes, asked of the shells themselves. bash is where the Action runs, so it is always there; zsh and fish
// are asked where they are installed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/entry/cli/commands.ts'
import { completion } from '../../src/entry/cli/completion.ts'

async function asked(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const io = { out: (text: string) => void (out += text), err: (text: string) => void (err += text), color: false }
  return { code: await completion.run(args, io), out, err }
}
const { out: script } = await asked('bash')
const names = Object.keys(commands)

/** With these words on the line, the last of them begun. */
function completed(...words: readonly string[]): readonly string[] {
  const line = ['countersign', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-uc', `${script}\n${ask}`], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.trim() === '' ? [] : stdout.trim().split('\n')
}

test('in bash: every command, by its beginning', () => {
  expect(completed('')).toEqual([...names, '--help', '--version'])
  expect(completed('ver')).toEqual(['verify'])
  expect(completed('t')).toEqual(['test', 'tier1'])
})

test.each([
  [['verify', '--b'], ['--base']],
  [
    ['inbox', ''],
    ['list', 'replay', 'status'],
  ],
  [['completion', 'z'], ['zsh']],
  [['doctor', 'acme/shop', '--f'], ['--fix']],
  [
    ['wait', '--'],
    ['--sha', '--timeout', '--interval', '--app', '--help'],
  ],
  [['validate', 'poli'], []],
  [['no-command', '--'], []],
])('in bash: %j', (words, offered) => {
  expect(completed(...words)).toEqual(offered)
})

test.each(['zsh', 'fish'])('%s can read its own, which names every command', async (shell) => {
  const { code, out } = await asked(shell)
  expect(code).toBe(0)
  expect(names.filter((name) => !out.includes(name))).toEqual([])
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-completion-')), 'script')
  writeFileSync(file, out)
  const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
  if (error === undefined) expect([status, stderr]).toEqual([0, ''])
})

test.each([
  [[], 'name one shell. It knows bash, zsh, fish.'],
  [['zhs'], 'there is no script for `zhs` (did you mean `zsh`?). It knows'],
  [['bash', 'zsh'], 'name one shell'],
])('%j is told what there is', async (args, words) => {
  expect(await asked(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(words) })
})
