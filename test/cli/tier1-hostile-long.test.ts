// `countersign tier1` as a process, in clones in which everything is planted that git would run: not one of them is.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { git, plant, stepIn } from '../checks/checkout/planted.ts'
import { countersign } from './cli.ts'

const policy = 'verification:\n  checks: []\n'
const change = {
  'a.json': '{}\n',
  'tool.py': 'import os\n',
  '.gitattributes': '*.json diff=evil filter=evil\n*.ts -diff\n',
  '.env': 'GIT_DIR=/nowhere\nLD_PRELOAD=/nowhere.so\n',
  '.python-version': 'evil\n',
  'sitecustomize.py': 'raise SystemExit(1)\n',
  'a.test.ts': `${['test', 'only'].join('.')}('adds', () => {})\n`,
  ...Object.fromEntries(['slow', 'by-include', 'by-include-if', 'by-worktree'].map((name) => [`a.${name}`, 'text\n'])),
}

function write(cwd: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, '..'), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
}

/** `main` with a policy, and `work` with the change, which is checked out. */
function aClone(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-hostile-'))
  git(cwd, ['init', '-q', '-b', 'main'])
  write(cwd, { '.github/countersign.yml': policy })
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-q', '-m', 'Base'])
  git(cwd, ['checkout', '-q', '-b', 'work'])
  write(cwd, change)
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-q', '-m', 'Change'])
  return cwd
}

const settings = (file: string, value: string) => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: file, GIT_CONFIG_VALUE_0: value }) // prettier-ignore

test('nothing that is planted in a clone is run, whatever git would run there', async () => {
  const cwd = aClone()
  const { fired, bin } = plant(cwd)
  const ran = await countersign(['tier1', '--base', 'main'], {
    cwd,
    env: {
      PATH: ['', '.', 'node_modules/.bin', bin, process.env['PATH']].join(delimiter),
      ...settings('core.fsmonitor', join(bin, 'git')),
      GIT_DIR: '/nowhere',
      GIT_EXEC_PATH: bin,
      GIT_EXTERNAL_DIFF: join(bin, 'git'),
      GIT_SSH_COMMAND: join(bin, 'ssh'),
      GIT_TRACE: join(cwd, 'trace'),
      PYTHONPATH: cwd,
      PYTHONSTARTUP: join(cwd, 'sitecustomize.py'),
    },
  })
  expect(fired()).toEqual([])
  expect(ran).toMatchObject({ code: 0, err: '' })
  // The clone's own attributes hide no line either.
  expect(ran.out).toMatch(/^HIGH +a\.test\.ts:1 /m)
  expect(ran.out).not.toContain('Python was not parsed')
  // Whoever steps into the clone by hand sees that the traps are alive.
  appendFileSync(join(cwd, 'a.json'), '\n')
  for (const name of ['slow', 'by-include', 'by-include-if', 'by-worktree']) {
    writeFileSync(join(cwd, `a.${name}`), 'other\n')
  }
  stepIn(cwd)
  expect(fired()).toEqual(
    expect.arrayContaining([
      'alias-st', 'by-include', 'by-include-if', 'by-worktree', 'clean', 'diff-command', 'fsmonitor', 'process', 'remote-ext',
    ]), // prettier-ignore
  )
})

type Elsewhere = (clone: string) => { readonly cwd: string; readonly gitFolder: string }

test.each<[string, Elsewhere]>([
  [
    'a work tree of its own',
    (clone) => {
      const cwd = join(mkdtempSync(join(tmpdir(), 'countersign-tree-')), 'tree')
      git(clone, ['worktree', 'add', '-q', '--detach', cwd, 'work'])
      return { cwd, gitFolder: join(clone, '.git') }
    },
  ],
  [
    'a submodule',
    (clone) => {
      const outer = mkdtempSync(join(tmpdir(), 'countersign-outer-'))
      git(outer, ['init', '-q', '-b', 'main'])
      git(outer, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', clone, 'inner'])
      const cwd = join(outer, 'inner')
      git(cwd, ['branch', 'main', 'origin/main'])
      return { cwd, gitFolder: join(outer, '.git', 'modules', 'inner') }
    },
  ],
  [
    'a `.git` that points elsewhere',
    (clone) => {
      const cwd = mkdtempSync(join(tmpdir(), 'countersign-points-'))
      writeFileSync(join(cwd, '.git'), `gitdir: ${join(clone, '.git')}\n`)
      git(cwd, ['checkout', '-q', '-f', 'work'])
      return { cwd, gitFolder: join(clone, '.git') }
    },
  ],
  [
    'a `.git` that is a link',
    (clone) => {
      const cwd = mkdtempSync(join(tmpdir(), 'countersign-link-'))
      symlinkSync(join(clone, '.git'), join(cwd, '.git'))
      git(cwd, ['checkout', '-q', '-f', 'work'])
      return { cwd, gitFolder: join(clone, '.git') }
    },
  ],
])('nor in %s', async (_name, make) => {
  const { cwd, gitFolder } = make(aClone())
  const { fired } = plant(cwd, gitFolder)
  const ran = await countersign(['tier1', '--base', 'main', cwd])
  expect([ran.err, ran.code, fired()]).toEqual(['', 0, []])
})

test.each<[string, (place: string) => void]>([
  ['a pipe', (place) => execFileSync('mkfifo', [place])],
  ['a pointer to nowhere', (place) => writeFileSync(place, 'gitdir: /nowhere\n')],
  ['a pointer to itself', (place) => writeFileSync(place, `gitdir: ${place}\n`)],
  [
    'a folder with a head and nothing else',
    (place) => (mkdirSync(place), writeFileSync(join(place, 'HEAD'), 'ref: refs/heads/main\n')),
  ],
  [
    'a folder whose parts are elsewhere',
    (place) => (
      mkdirSync(place),
      writeFileSync(join(place, 'HEAD'), 'x'),
      writeFileSync(join(place, 'commondir'), '/nowhere')
    ),
  ],
])('%s in the place of a clone is none, and holds nobody up', async (_name, make) => {
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-none-'))
  make(join(cwd, '.git'))
  const ran = await countersign(['tier1', cwd])
  expect(ran).toMatchObject({ code: 2 })
  expect(ran.err).toContain('there is no clone at')
})
