// `countersign eval build` as a process: sets from packages that others published, here from servers of our own and packages
// written for it. What is offline, damaged or not what was pinned is told, and what was done stays done.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createTwoFilesPatch } from 'diff'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { tarOf } from '../github/git/tar.ts'
import { newDirectory } from './a-store.ts'
import { countersign } from './cli.ts'

type Served = Readonly<Record<string, Buffer>>

/** Answers by the path, and remembers what was asked for. */
async function aServer(files: (base: string) => Served) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    const found = files(base())[path]
    response.writeHead(found === undefined ? 404 : 200).end(found)
  })
  const base = (): string => {
    const address = z.object({ port: z.number() }).parse(server.address())
    return `http://127.0.0.1:${address.port}`
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = (): void => void server.close()
  onTestFinished(close)
  return { base: base(), asked, close }
}

const packed = (top: string, files: Readonly<Record<string, string>>): Buffer =>
  gzipSync(tarOf(Object.entries(files).map(([path, text]) => ({ path: `${top}/${path}`, content: Buffer.from(text) }))))
const hashOf = (kind: string, bytes: Buffer, encoding: 'hex' | 'base64') =>
  createHash(kind).update(bytes).digest(encoding)

const set = z.object({
  cases: z.array(
    z.looseObject({ name: z.string(), label: z.string(), files: z.array(z.looseObject({ path: z.string(), patch: z.string() })) }),
  ),
}) // prettier-ignore
const setIn = async (file: string) => set.parse(JSON.parse(await readFile(file, 'utf8'))).cases

const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, nth) => `${text} ${nth}\n`).join('')
const open = `int at(int *list, int size, int index) {\n  return list[index];\n}\n`
const shut = `int at(int *list, int size, int index) {\n  if (index < 0 || index >= size) return 0;\n  return list[index];\n}\n`
const patchFrom = (path: string, before: string, after: string): string =>
  createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after)

function aSource() {
  const original = packed('tally-1.0', { 'src/at.c': open, 'src/words.c': 'int words;\n' })
  const patches = {
    'patches/series': 'words.patch\n# off.patch\nCVE-2099-0001.patch\n',
    'patches/words.patch': patchFrom('src/words.c', 'int words;\n', `int words;\n${lines(9, 'int word;')}`),
    'patches/CVE-2099-0001.patch': `Description: bounds\n\n${patchFrom('src/at.c', open, shut)}`,
    copyright: 'Files: *\nLicense: Expat\n',
  }
  const debian = packed('debian', patches)
  const pin = {
    name: 'tally',
    version: '1.0-1',
    directory: 'pool/main/t/tally',
    original: { name: 'tally_1.0.orig.tar.gz', sha256: hashOf('sha256', original, 'hex') },
    debian: { name: 'tally_1.0-1.debian.tar.gz', sha256: hashOf('sha256', debian, 'hex') },
  }
  const served: Served = {
    '/debian/pool/main/t/tally/tally_1.0.orig.tar.gz': original,
    '/debian/pool/main/t/tally/tally_1.0-1.debian.tar.gz': debian,
  }
  return { pin, served }
}

describe('security fixes', () => {
  test('the fix is to be accepted; its reversal, among more that is clean, is not', async () => {
    const { pin, served } = aSource()
    const mirror = await aServer(() => served)
    const cwd = newDirectory()
    await writeFile(join(cwd, 'pins.json'), JSON.stringify([pin]))
    const build = ['eval', 'build', 'security', '--cache', 'cache', '--pins', 'pins.json']
    const { code, out, err } = await countersign([...build, '--mirror', `${mirror.base}/debian/`], { cwd })
    expect({ code, err }).toEqual({ code: 0, err: '1 of 1: tally 1.0-1\n' })
    expect(out).toContain('2 cases of 1 packages in 1 languages (C): 1 accept, 1 reject.')
    const [fix, reversal] = await setIn(join(cwd, 'cache/security.json'))
    expect(fix).toMatchObject({ label: 'accept', files: [{ path: 'src/at.c' }] })
    expect(fix?.files[0]?.patch).toContain('\n+  if (index < 0')
    expect(reversal).toMatchObject({
      label: 'reject',
      defect: { path: 'src/at.c', line: 2 },
      files: [{ path: 'src/at.c' }, { path: 'src/words.c' }],
    })
    expect(reversal?.files[0]?.patch).toContain('\n-  if (index < 0')
    expect(reversal?.files[1]?.patch).toContain('\n+int word;')
    expect(await readFile(join(cwd, 'cache/security-licences.txt'), 'utf8')).toBe('tally 1.0-1: Expat\n')
    // What is built can be judged, and once built nothing is asked for again.
    const judged = await countersign(['eval', 'cache/security.json', '--double', 'lazy', '--json'], { cwd })
    expect({ code: judged.code, err: judged.err }).toEqual({ code: 0, err: '' })
    mirror.close()
    expect(await countersign(build, { cwd })).toMatchObject({ code: 0, out })
    expect(mirror.asked).toHaveLength(2)
  })

  test('a package that cannot be had, or is not the pinned one, is left out and told', async () => {
    const { pin, served } = aSource()
    const other = { ...pin, name: 'other', directory: 'pool/main/o/other' }
    const wrong = { ...pin, name: 'wrong', debian: { ...pin.debian, name: 'x.tar.gz', sha256: '0'.repeat(64) } }
    const more = { '/pool/main/t/tally/x.tar.gz': Buffer.from('what somebody put there') }
    const plain = Object.fromEntries(Object.entries(served).map(([path, bytes]) => [path.slice('/debian'.length), bytes]))
    const mirror = await aServer(() => ({ ...plain, ...more }))
    const cwd = newDirectory()
    const pins = [{ ...other, debian: { ...pin.debian, name: 'none.tar.gz' } }, wrong, pin]
    await writeFile(join(cwd, 'pins.json'), JSON.stringify(pins))
    const args = ['eval', 'build', 'security', '--cache', 'cache', '--pins', 'pins.json', '--mirror', mirror.base]
    const { code, out, err } = await countersign(args, { cwd })
    expect({ code, said: out.split('\n')[0] }).toMatchObject({ code: 1, said: expect.stringContaining('2 cases of 1 packages') })
    expect(err).toMatch(/left out: other 1\.0-1: cannot fetch http\S+none\.tar\.gz: the server answered 404\. Is the machine online/)
    expect(err).toMatch(/left out: wrong 1\.0-1: what came for \S+ does not have the pinned sha256, so nothing of it is used/)
  }) // prettier-ignore

  test.each<[string, readonly string[], RegExp]>([
    ['nobody says where', [], /say where source packages are with --mirror URL/],
    ['nobody is there', ['--mirror', 'http://127.0.0.1:9'], /cannot fetch http:\S+: .*Is the machine online/],
    ['a folder is named', ['--mirror', '/mnt/debian'], /--mirror is a web address/],
    ['something else is wanted', ['everything'], /what can be built is mutants, reviews, security/],
  ])('nothing is built where %s', async (_title, args, words) => {
    const cwd = newDirectory()
    await writeFile(join(cwd, 'pins.json'), JSON.stringify([aSource().pin]))
    const { code, out, err } = await countersign(
      ['eval', 'build', 'security', '--cache', 'c', '--pins', 'pins.json', ...args],
      { cwd },
    )
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(words)
  })
})

const source = `'use strict'
// a < b is no code here
module.exports.least = function least (a, b) {
  if (a === b) {
    return a
  }
  return a < b ? a : b
}
module.exports.said = function said (a, b) {
  const words = 'true'
  return module.exports.least(a, b)
}
`
const tests = `const test = require('node:test')
const assert = require('node:assert')
const { least, said } = require('../index.js')
test('least', () => {
  assert.equal(least(1, 2), 1)
  assert.equal(least(2, 1), 1)
  assert.equal(said(4, 3), 3)
  assert.throws(() => require('node:fs').writeFileSync(__filename, ''), /permission/i)
})
`

describe('mutants', () => {
  test('what the own tests of a package kill is to be rejected, what cannot change anything is not', async () => {
    const bytes = packed('package', {
      'package.json': JSON.stringify({ name: 'leastof', version: '1.0.0', license: 'MIT' }),
      'index.js': source,
      'test/least.test.js': tests,
    })
    const sha512 = hashOf('sha512', bytes, 'base64')
    const registry = await aServer((base) => {
      const dist = { tarball: `${base}/leastof/-/leastof-1.0.0.tgz`, integrity: `sha512-${sha512}` }
      const version = { name: 'leastof', version: '1.0.0', dist }
      const about = { name: 'leastof', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }
      return { '/leastof': Buffer.from(JSON.stringify(about)), '/leastof/-/leastof-1.0.0.tgz': bytes }
    })
    const cwd = newDirectory()
    const pin = { name: 'leastof', version: '1.0.0', sha512, sources: ['index.js'], tests: ['test/least.test.js'] }
    await writeFile(join(cwd, 'pins.json'), JSON.stringify([pin]))
    const env = { npm_config_registry: registry.base, npm_config_cache: join(cwd, 'npm') }
    const build = ['eval', 'build', 'mutants', '--cache', 'cache', '--pins', 'pins.json']
    const { code, out, err } = await countersign(build, { cwd, env })
    expect({ code, err }).toEqual({ code: 0, err: '1 of 1: leastof 1.0.0\n' })
    const cases = await setIn(join(cwd, 'cache/mutants.json'))
    const named = (label: string) => cases.filter((one) => one.label === label).map(({ name }) => name)
    // `a <= b` is the same where both differ, so that nobody can tell.
    expect(named('reject')).toEqual(['leastof 1.0.0 index.js:4 is mutated to if (a !== b) {'])
    expect(named('accept')).toEqual([
      'leastof 1.0.0 index.js:4 is rewritten to if (b === a) {',
      'leastof 1.0.0 index.js:11 is rewritten to const answer = module.exports.least(a, b) return answer',
    ])
    expect(await readFile(join(cwd, 'cache/mutants-licences.txt'), 'utf8')).toBe('leastof 1.0.0: MIT\n')
    const judged = await countersign(['eval', 'cache/mutants.json', '--double', 'lazy', '--json'], { cwd })
    expect({ code: judged.code, err: judged.err }).toEqual({ code: 0, err: '' })
    registry.close()
    // Interrupted in the middle of a line: what was tried before is not tried again, and the same comes of it.
    const journal = join(cwd, 'cache/packages/leastof-1.0.0/verdicts-1.jsonl')
    const verdicts = await readFile(journal, 'utf8')
    await writeFile(journal, verdicts.slice(0, -20))
    const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(cwd, 'empty') }
    expect(await countersign(build, { cwd, env: offline })).toMatchObject({ code: 0, out })
    const again = (await readFile(journal, 'utf8')).slice(verdicts.length - 20)
    expect(again.trim().split('\n')).toHaveLength(1)
    const fresh = await countersign([...build, '--cache', 'other'], { cwd, env: offline })
    expect({ code: fresh.code, out: fresh.out }).toEqual({ code: 2, out: '' })
    expect(fresh.err).toMatch(/left out: leastof 1\.0\.0: npm cannot fetch leastof@1\.0\.0.*Is the machine online/)
  }, 120_000)
})

describe('reviewed pull requests', () => {
  test('become cases with the code of a clone; one without a clone is left out', async () => {
    const cwd = newDirectory()
    const clone = join(cwd, 'clones/acme/shop')
    await mkdir(clone, { recursive: true })
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com']
    const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: clone, encoding: 'utf8' }).trim()
    git('init', '-q')
    await writeFile(join(clone, 'at.py'), 'def at(list, index):\n    return list[index]\n')
    git('add', '.')
    git('commit', '-qm', 'one')
    const base = git('rev-parse', 'HEAD')
    await writeFile(join(clone, 'at.py'), 'def at(list, index):\n    return list[index - 1]\n')
    await writeFile(join(clone, 'new.py'), 'words = 1\n')
    git('add', '.')
    git('commit', '-qm', 'two')
    const remark = { path: 'at.py', side: 'right', from_line: 2, category: 'Code Defect', context: 'File Level' }
    const review = {
      project_main_language: 'Python',
      source_commit: base,
      target_commit: git('rev-parse', 'HEAD'),
      githubPrUrl: 'https://github.com/acme/shop/pull/7',
      comments: [{ ...remark, category: 'Performance', from_line: 1 }, remark],
    }
    const elsewhere = { ...review, githubPrUrl: 'https://github.com/acme/other/pull/8' }
    const calm = { ...review, githubPrUrl: 'https://github.com/acme/shop/pull/9', comments: [] }
    await writeFile(join(cwd, 'reviews.json'), JSON.stringify([review, elsewhere, calm]))
    const build = ['eval', 'build', 'reviews', '--clones', 'clones', '--cache', 'cache', '--from']
    const { code, err } = await countersign([...build, 'reviews.json'], { cwd })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/left out: acme\/other#8: there is no clone in /) })
    expect(await setIn(join(cwd, 'cache/reviews.json'))).toMatchObject([
      {
        name: 'acme/shop#7',
        label: 'reject',
        need: 'file',
        defect: { path: 'at.py', line: 2 },
        files: [
          { path: 'at.py', status: 'modified', patch: expect.stringContaining('\n+    return list[index - 1]') },
          { path: 'new.py', status: 'added', patch: '@@ -0,0 +1 @@\n+words = 1' },
        ],
      },
    ])
    const judged = await countersign(['eval', 'cache/reviews.json', '--double', 'lazy', '--json'], { cwd })
    expect({ code: judged.code, err: judged.err }).toEqual({ code: 0, err: '' })
    await writeFile(join(cwd, 'wrong.json'), '[{ "source_commit": "--output=x" }]')
    const wrong = await countersign([...build, 'wrong.json'], { cwd })
    expect({ code: wrong.code, err: wrong.err }).toEqual({ code: 2, err: expect.stringMatching(/wrong\.json is no list of reviewed/) })
  }) // prettier-ignore
})
