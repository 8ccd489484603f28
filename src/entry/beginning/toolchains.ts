// What a project is built with, as its files in the root say: how a fresh machine gets ready for it, and which commands
// check it. A row for each tool; of those that share a language only the first that fits.
import { jsonIn } from '../../core/json.ts'
import { z } from 'zod'

export type Check = { readonly name: string; readonly command: string }
export type Toolchain = {
  readonly name: string
  /** The file that says so. */
  readonly because: string
  /** Steps of a workflow, each one line of YAML. */
  readonly steps: readonly string[]
  readonly checks: readonly Check[]
}
export type Project = {
  readonly has: (path: string) => boolean
  readonly text: (path: string) => string
}

/** Of these more is read than that they are there. */
export const textsWanted: readonly string[] = ['package.json', 'Makefile', 'makefile', 'GNUmakefile']

export function toolchainsOf(project: Project): readonly Toolchain[] {
  const languages: readonly Language[] = [javascript, python, go, rust, java]
  const found = languages.flatMap((language) => language(project) ?? [])
  const made = found.some(({ checks }) => checks.length > 0) ? null : make(project)
  return made === null ? found : [...found, made]
}

type Language = (project: Project) => Toolchain | null

type Packages = {
  readonly name: string
  readonly locks: readonly string[]
  readonly run: string
  readonly test: string
}
const managers: readonly Packages[] = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], run: 'pnpm run', test: 'pnpm test' },
  { name: 'yarn', locks: ['yarn.lock'], run: 'yarn run', test: 'yarn test' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], run: 'bun run', test: 'bun run test' },
  {
    name: 'npm',
    locks: ['package-lock.json', 'npm-shrinkwrap.json', 'package.json'],
    run: 'npm run',
    test: 'npm test',
  },
]
const packageFile = z.object({
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  packageManager: z.string().optional().catch(undefined),
})
/** What npm writes into every new package. */
const noTests = /no test specified/
const scriptsWanted = ['lint', 'typecheck', 'type-check', 'check-types', 'types', 'test']

function javascript(project: Project): Toolchain | null {
  if (!project.has('package.json')) return null
  const manager = managers.find(({ locks }) => locks.some(project.has))
  const because = manager?.locks.find(project.has)
  if (manager === undefined || because === undefined) return null
  const { data } = packageFile.safeParse(jsonIn(project.text('package.json')))
  const scripts = scriptsWanted.filter((name) => data?.scripts[name] !== undefined && !noTests.test(data.scripts[name]))
  return {
    name: manager.name,
    because,
    steps: stepsOf(manager.name, because, data?.packageManager !== undefined, project),
    checks: scripts.map((name) => ({ name, command: name === 'test' ? manager.test : `${manager.run} ${name}` })),
  }
}

function stepsOf(name: string, because: string, isPinned: boolean, project: Project): readonly string[] {
  if (name === 'bun') return ['uses: oven-sh/setup-bun@v2', 'run: bun install --frozen-lockfile']
  const file = ['.nvmrc', '.node-version'].find(project.has)
  const version = file === undefined ? 'node-version: lts/*' : `node-version-file: ${file}`
  const cache = because === 'package.json' ? '' : `, cache: ${name}`
  const node = `uses: actions/setup-node@v5, with: { ${version}${cache} }`
  if (name === 'npm') return [node, because === 'package.json' ? 'run: npm install' : 'run: npm ci']
  if (name === 'pnpm') {
    const pnpm = `uses: pnpm/action-setup@v4${isPinned ? '' : ', with: { version: latest }'}`
    return [pnpm, node, 'run: pnpm install --frozen-lockfile']
  }
  return [
    'run: corepack enable',
    node,
    `run: yarn install ${project.has('.yarnrc.yml') ? '--immutable' : '--frozen-lockfile'}`,
  ]
}

const pythonSetUp = 'uses: actions/setup-python@v6, with: { python-version: 3.x }'
const pythonFiles = ['pyproject.toml', 'setup.py', 'requirements.txt']

function python(project: Project): Toolchain | null {
  const because = ['uv.lock', 'poetry.lock', ...pythonFiles].find(project.has)
  if (because === undefined) return null
  const tests = ['tests', 'test', 'pytest.ini', 'conftest.py'].some(project.has)
  const checks = (command: string): readonly Check[] => (tests ? [{ name: 'test', command }] : [])
  if (because === 'uv.lock')
    return {
      name: 'uv',
      because,
      steps: ['uses: astral-sh/setup-uv@v6', 'run: uv sync --locked'],
      checks: checks('uv run pytest'),
    }
  if (because === 'poetry.lock')
    return {
      name: 'poetry',
      because,
      steps: [pythonSetUp, 'run: pipx install poetry && poetry install'],
      checks: checks('poetry run pytest'),
    }
  const lists = ['requirements.txt', 'requirements-dev.txt'].filter(project.has).map((file) => ` -r ${file}`)
  const own = ['pyproject.toml', 'setup.py'].some(project.has) ? ' -e .' : ''
  return {
    name: 'pip',
    because,
    steps: [pythonSetUp, `run: pip install pytest${lists.join('')}${own}`],
    checks: checks('python -m pytest'),
  }
}

const go: Language = ({ has }) =>
  has('go.mod')
    ? {
        name: 'go',
        because: 'go.mod',
        steps: ['uses: actions/setup-go@v6, with: { go-version-file: go.mod }'],
        checks: [
          { name: 'vet', command: 'go vet ./...' },
          { name: 'test', command: 'go test ./...' },
        ],
      }
    : null

/** The runners bring Rust. */
const rust: Language = ({ has }) =>
  has('Cargo.toml')
    ? {
        name: 'cargo',
        because: 'Cargo.toml',
        steps: [],
        checks: [{ name: 'test', command: has('Cargo.lock') ? 'cargo test --locked' : 'cargo test' }],
      }
    : null

function java({ has }: Project): Toolchain | null {
  const because = ['pom.xml', 'build.gradle', 'build.gradle.kts'].find(has)
  if (because === undefined) return null
  const name = because === 'pom.xml' ? 'maven' : 'gradle'
  const [own, ofMachine, goal] = name === 'maven' ? ['mvnw', 'mvn', '-B verify'] : ['gradlew', 'gradle', 'check']
  return {
    name,
    because,
    steps: [`uses: actions/setup-java@v5, with: { distribution: temurin, java-version: 21, cache: ${name} }`],
    checks: [{ name: 'test', command: `${has(own ?? '') ? `./${own}` : ofMachine} ${goal}` }],
  }
}

const makeFiles = ['Makefile', 'makefile', 'GNUmakefile']

function make({ has, text }: Project): Toolchain | null {
  const because = makeFiles.find(has)
  const target =
    because === undefined
      ? undefined
      : ['test', 'check'].find((one) => new RegExp(`^${one}\\s*:`, 'm').test(text(because)))
  if (because === undefined || target === undefined) return null
  return { name: 'make', because, steps: [], checks: [{ name: target, command: `make ${target}` }] }
}
