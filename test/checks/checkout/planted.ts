// A clone with everything planted in it by which git can be made to run something: each leaves a file of its name in a
// folder, so that a test can tell which of them was run.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Planted = {
  /** What was run since the last time, in order. */
  readonly fired: () => string[]
  /** Where programs lie that have the names of others. */
  readonly bin: string
}

const hooks = ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-auto-gc', 'fsmonitor-watchman']
const disguised = ['git', 'python3', 'python', 'less', 'ssh', 'sh', 'git-remote-http', 'git-diff-tree']

export function plant(root: string, gitFolder = join(root, '.git')): Planted {
  const traps = mkdtempSync(join(tmpdir(), 'countersign-traps-'))
  const fires = join(traps, 'fired')
  mkdirSync(fires)
  /** A program that leaves its mark and then behaves as `rest` says. */
  const trap = (name: string, rest = 'cat'): string => {
    const place = join(traps, name)
    writeFileSync(place, `#!/bin/sh\n: > '${join(fires, name)}'\n${rest}\n`)
    chmodSync(place, 0o755)
    return place
  }
  const set = (key: string, value: string): void => void git(root, ['config', '--local', key, value])
  set('filter.evil.clean', trap('clean'))
  set('filter.evil.smudge', trap('smudge'))
  set('filter.slow.process', trap('process', 'exit 1'))
  set('diff.evil.textconv', trap('textconv', 'cat "$1"'))
  set('diff.evil.command', trap('diff-command', 'true'))
  set('diff.external', trap('diff-external', 'true'))
  set('merge.evil.driver', trap('merge-driver', 'true'))
  set('core.fsmonitor', trap('fsmonitor', 'true'))
  set('core.pager', trap('pager'))
  set('core.editor', trap('editor', 'true'))
  set('core.sshCommand', trap('ssh-command', 'exit 1'))
  set('core.gitProxy', trap('git-proxy', 'exit 1'))
  set('core.askPass', trap('ask-pass', 'exit 1'))
  set('core.alternateRefsCommand', trap('alternate-refs', 'true'))
  set('credential.helper', `!${trap('credential', 'true')}`)
  set('gpg.program', trap('gpg', 'exit 1'))
  set('log.showSignature', 'true')
  set('uploadpack.packObjectsHook', trap('pack-objects', 'exit 1'))
  set('remote.origin.uploadpack', trap('upload-pack', 'exit 1'))
  set('remote.origin.url', `ext::${trap('remote-ext', 'exit 1')}`)
  set('remote.origin.promisor', 'true')
  set('protocol.ext.allow', 'always')
  set('extensions.partialClone', 'origin')
  for (const name of ['diff-tree', 'cat-file', 'ls-tree', 'rev-parse', 'merge-base', 'fetch', 'st']) {
    set(`alias.${name}`, `!${trap(`alias-${name}`, 'true')}`)
  }
  const byHooks = join(traps, 'hooks')
  mkdirSync(byHooks)
  mkdirSync(join(gitFolder, 'hooks'), { recursive: true })
  for (const hook of hooks) {
    for (const [folder, where] of [
      [byHooks, 'hooks-path'],
      [join(gitFolder, 'hooks'), 'hook'],
    ] as const) {
      // prettier-ignore
      writeFileSync(join(folder, hook), `#!/bin/sh\n: > '${join(fires, `${where}-${hook}`)}'\n`)
      chmodSync(join(folder, hook), 0o755)
    }
  }
  set('core.hooksPath', byHooks)
  const included = (name: string): string => {
    const file = join(traps, `${name}.inc`)
    writeFileSync(file, `[filter "${name}"]\n\tclean = ${trap(name)}\n\trequired = true\n`)
    return file
  }
  set('include.path', included('by-include'))
  set(`includeIf.gitdir:${root}/.path`, included('by-include-if'))
  set('extensions.worktreeConfig', 'true')
  appendFileSync(join(gitFolder, 'config.worktree'), `[filter "by-worktree"]\n\tclean = ${trap('by-worktree')}\n`)
  mkdirSync(join(gitFolder, 'info'), { recursive: true })
  const attributes = ['evil', 'slow', 'by-include', 'by-include-if', 'by-worktree']
  const lines = attributes.map((name) => `*.${name} filter=${name}\n`).join('')
  writeFileSync(join(gitFolder, 'info', 'attributes'), `${lines}*.json diff=evil filter=evil\n`)
  const bin = join(root, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  for (const name of disguised) {
    writeFileSync(join(bin, name), `#!/bin/sh\n: > '${join(fires, `disguised-${name}`)}'\nexit 1\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const fired = (): string[] => {
    const names = readdirSync(fires).toSorted()
    for (const name of names) rmSync(join(fires, name))
    return names
  }
  fired()
  return { fired, bin }
}

/** What somebody does in such a clone without a thought, which is how one can see that the traps are alive. */
export function stepIn(root: string): void {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: '/nowhere', GIT_PAGER_IN_USE: '', TERM: 'dumb' }
  for (const args of [['status'], ['diff'], ['diff', 'HEAD~1'], ['st'], ['fetch', 'origin'], ['add', '-A']]) {
    spawnSync('git', args, { cwd: root, env, stdio: 'ignore' })
  }
}

export function git(cwd: string, args: readonly string[]): string {
  const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
}
