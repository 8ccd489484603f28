// What somebody does who has a clone and nothing else: sees it work, tries a policy, runs the checks of an example.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commit, git } from '../cli/clones.ts'
import { countersign } from '../cli/cli.ts'
import { examples, repositoryOf } from '../cli/example.ts'
import { must, type Journey } from './journey.ts'

async function run(words: readonly string[], cwd: string): Promise<string> {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (out += String(chunk)))
  const code = await new Promise((done) => void child.on('close', done))
  must(code === 0, `${words.join(' ')} ended with ${String(code)}:\n${out.slice(-2_000)}`)
  return out
}

/** The network is not ours, so what it brings is timed and not limited. */
export const seeIt: Journey = {
  name: 'See it',
  limit: 240,
  go: async (walk, folder) => {
    const clone = join(folder, 'countersign')
    await walk('git clone', () => run(['git', 'clone', '-q', resolve('.'), clone], folder))
    await walk('npm ci', () => run(['npm', 'ci', '--no-audit', '--no-fund'], clone))
    const start = performance.now()
    const told = await walk('npm run demo', () => run(['npm', 'run', '-s', 'demo'], clone))
    must(performance.now() - start < 60_000, 'the demo took longer than a minute')
    must(/^6\. /m.test(told), 'the demo told fewer stories than the README says')
  },
}

const mistakes: readonly (readonly [wrong: string, right: string])[] = [
  ['mod: enforce', 'mode: enforce'],
  ['  cheks: [npm test]', '  checks: [npm test]'],
  ['  verifier: { tier: 4 }', '  verifier: { tier: 3 }'],
  ['merge_requires: verifed', 'merge_requires: verified'],
  ['park_wait: soon', 'park_wait: 7d'],
]

/** All mistakes are told at once, and each that is mended is gone. */
export const fiveMistakes: Journey = {
  name: 'A policy with five mistakes',
  limit: 20,
  go: async (walk, folder) => {
    const file = join(folder, '.github', 'countersign.yml')
    mkdirSync(dirname(file), { recursive: true })
    const written = (mended: number): string => {
      const [mode, checks, verifier, merge, park] = mistakes.map(([wrong, right], at) => (at < mended ? right : wrong))
      return ['version: 1', mode, 'verification:', checks, verifier, merge, park, ''].join('\n')
    }
    for (const mended of mistakes.keys()) {
      writeFileSync(file, written(mended))
      const left = mistakes.length - mended
      const { code, out, err } = await walk(`countersign validate, ${left} wrong`, () =>
        countersign(['validate'], { cwd: folder }),
      )
      const told = `${out}${err}`
      const lines = new Set(Array.from(told.matchAll(/countersign\.yml:(\d+)/g), ([, line]) => line))
      must(code === 1, `a wrong policy ended with ${String(code)}:\n${told}`)
      must(lines.size === left, `${left} are wrong, and ${lines.size} lines are named:\n${told}`)
    }
    writeFileSync(file, written(mistakes.length))
    const last = await walk('countersign validate, all mended', () => countersign(['validate'], { cwd: folder }))
    must(last.code === 0, `what was mended is refused:\n${last.out}${last.err}`)
  },
}

/** Before anything is pushed. */
export const beforeAPush: Journey = {
  name: 'Checks before a push, in the TypeScript example',
  limit: 60,
  go: async (walk) => {
    const [example] = examples
    must(example !== undefined, 'there is no example')
    const { name, file, line, same, broken } = example
    const cwd = repositoryOf(name)
    symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'))
    git(cwd, 'checkout', '-q', '-b', 'work')
    const text = readFileSync(join(cwd, file), 'utf8')
    const verify = () => countersign(['verify', '--base', 'main'], { cwd })
    await commit(cwd, { [file]: text.replace(line, broken) })
    const red = await walk('countersign verify, with a broken line', verify)
    must(red.code === 1 && red.out.includes('FAIL'), `a broken line was not told:\n${red.out}`)
    await commit(cwd, { [file]: text.replace(line, same) })
    const green = await walk('countersign verify, repaired', verify)
    must(green.code === 0, `what is repaired is refused:\n${green.out}${green.err}`)
  },
}
