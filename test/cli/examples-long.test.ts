// What `countersign verify` says in a clone of each example, with the example's own checks: green as long as its code
// does what its tests say, red once it is broken. What this machine cannot run is named and left out.
import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { commit, git } from './clones.ts'
import { countersign } from './cli.ts'
import { examples, hasToolchain, repositoryOf } from './example.ts'

vi.setConfig({ testTimeout: 120_000 })

const verify = ['verify', '--base', 'main']

for (const { name, toolchain, file, line, same, broken } of examples) {
  test.skipIf(!hasToolchain(toolchain))(`${name} (${toolchain.join(' ')})`, async () => {
    const cwd = repositoryOf(name)
    // What its lock file names is what we have ourselves.
    if (name === 'typescript') symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'))
    git(cwd, 'checkout', '-q', '-b', 'work')
    const text = readFileSync(join(cwd, file), 'utf8')
    expect(text).toContain(line)
    await commit(cwd, { [file]: text.replace(line, same) })
    const good = await countersign(verify, { cwd })
    expect([good.code, good.out, good.err]).toEqual([
      0,
      expect.stringContaining('ok    test'),
      expect.stringContaining('running test: '),
    ])
    await commit(cwd, { [file]: text.replace(line, broken) })
    const bad = await countersign(verify, { cwd })
    expect([bad.code, bad.out]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}test failed with exit code \d+\n[^]*would not pass/),
    ])
  })
}
