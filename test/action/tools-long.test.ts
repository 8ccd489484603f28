// The real tools, where this machine has them: what they print becomes marks at the right places. A tool that is not
// here is skipped by name.
import { execFileSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

type Tool = {
  readonly name: string
  readonly asks: string
  readonly command: string
  readonly files: Readonly<Record<string, string>>
  readonly mark: string
}

const node = JSON.stringify(process.execPath)
const ofOurs = (path: string): string => `${node} ${JSON.stringify(resolve('node_modules', path))}`

const tools: readonly Tool[] = [
  {
    name: 'tsc',
    asks: `${ofOurs('typescript/bin/tsc')} --version`,
    command: `${ofOurs('typescript/bin/tsc')} --noEmit --strict src/a.ts`,
    files: { 'src/a.ts': 'export const one = 1\nexport const two: string = one\n' },
    mark: "file=src/a.ts,line=2,col=14::TS2322: Type 'number' is not assignable to type 'string'.",
  },
  {
    name: 'oxlint in the unix format',
    asks: `${ofOurs('.bin/oxlint')} --version`,
    command: `${ofOurs('.bin/oxlint')} --format unix --deny no-debugger src`,
    files: { 'src/a.js': 'debugger\n' },
    mark: 'file=src/a.js,line=1,col=1::',
  },
  {
    name: 'pytest',
    asks: 'pytest --version',
    command: 'pytest -q -p no:cacheprovider',
    files: { 'tests/test_a.py': 'def test_adds():\n    assert 1 + 1 == 3\n' },
    mark: 'file=tests/test_a.py,line=2::AssertionError: assert (1 + 1) == 3',
  },
  {
    name: 'pytest with a JUnit report',
    asks: 'pytest --version',
    command: 'pytest -q -p no:cacheprovider --junitxml=report.xml >/dev/null',
    files: { 'tests/test_a.py': 'def test_adds():\n    assert 1 + 1 == 3\n' },
    mark: 'file=tests/test_a.py,line=2::tests.test_a › test_adds failed: ',
  },
  {
    name: 'rustc',
    asks: 'rustc --version',
    command: 'rustc --crate-type lib --out-dir "$RUNNER_TEMP" src/lib.rs',
    files: { 'src/lib.rs': 'pub fn one() -> u32 {\n    "one"\n}\n' },
    mark: 'file=src/lib.rs,line=2,col=5::mismatched types',
  },
  {
    name: 'go vet',
    asks: 'go version',
    command: 'go vet ./...',
    files: { 'go.mod': 'module example.com/a\n', 'a.go': 'package a\n\nfunc One() int {\n\treturn "one"\n}\n' },
    mark: 'file=a.go,line=4,col=9::',
  },
  {
    name: 'eslint',
    asks: 'eslint --version',
    command: 'eslint src',
    files: { 'eslint.config.js': "export default [{ rules: { 'no-undef': 2 } }]\n", 'src/a.js': 'b()\n' },
    mark: "file=src/a.js,line=1,col=1::'b' is not defined",
  },
]

const env = { RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup') }

function isHere({ asks }: Tool): boolean {
  try {
    execFileSync('bash', ['-c', asks], { stdio: 'ignore', env: { ...process.env, ...env } })
    return true
  } catch {
    return false
  }
}

for (const tool of tools) {
  const { name, command, files, mark } = tool
  const here = isHere(tool)
  test.skipIf(!here)(`${name}${here ? '' : ' is not on this machine'}`, async () => {
    const more = name.includes('JUnit') ? 'report: { junit: report.xml }' : ''
    const run = await (await aStage({ policy: policyWith({ tool: runs(command, more) }), change: files })).run({ env })
    const marks = run.log.split('\n').filter((line) => line.startsWith('::error title='))
    expect(marks.join('\n')).toContain(`::error title=Countersign%3A tool,${mark}`)
  })
}
