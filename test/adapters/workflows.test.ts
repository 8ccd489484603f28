// Which workflows run the Action, told from their text: by a step that names it, and through what they call.
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { workflowsRunning, type Read, type WorkflowFile } from '../../src/adapters/github/results/workflows.ts'

const path = '.github/workflows/a.yml'
const sha = '0123456789abcdef0123456789abcdef01234567'
const manifest = 'name: Countersign\nruns: { using: node24, main: action/dist/index.js }\n'

/** Files elsewhere by `owner/repo/path@ref`, and of the base by their path alone. */
const reading =
  (elsewhere: Readonly<Record<string, string>>): Read =>
  async (where, file) =>
    elsewhere[where === null ? file : `${where.owner}/${where.repo}/${file}@${where.ref}`] ?? null
const search = (files: readonly WorkflowFile[], elsewhere: Readonly<Record<string, string>> = {}) =>
  workflowsRunning(files, 'acme', reading(elsewhere))
const found = async (text: string, elsewhere = {}) => {
  const { known, unclear } = await search([{ path, text }], elsewhere)
  return { runs: known.length === 1, unclear, jobs: known[0]?.jobs, rests_on: known[0]?.rests_on }
}

const using = (uses: string, before = ''): string => `on: pull_request
jobs:
  checks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
${before}      - uses: ${uses}
`

describe('a step that uses it', () => {
  test.each([
    ['as it is published', 'countersign/countersign@v0'],
    ['at a branch of the publisher', 'countersign/countersign@main'],
    ['of the owner of the repository', 'acme/countersign@main'],
    ['of the owner, spelled otherwise', 'Acme/Countersign@v1'],
    ["of anybody, at a commit that nobody moves behind the base's back", `evil/countersign@${sha} # v1.2.3`],
    ['in quotes', '"countersign/countersign@v1"'],
  ])('%s', async (_title, uses) => {
    expect(await found(using(uses))).toEqual({ runs: true, unclear: false, jobs: ['checks'], rests_on: [] })
  })

  test('in flow style, in a file with Windows line ends, and by an anchor', async () => {
    expect((await found('jobs: { a: { steps: [{ uses: acme/countersign@v1 }] } }')).jobs).toEqual(['a'])
    expect((await found(using('acme/countersign@v1').replaceAll('\n', '\r\n'))).runs).toBe(true)
    const anchored = 'jobs:\n  a: { steps: &own [{ uses: acme/countersign@v1 }] }\n  b: { steps: *own, runs-on: x }\n'
    expect((await found(anchored)).jobs).toEqual(['a', 'b'])
  })

  test.each([
    ['its name', 'name: All checks', ['All checks']],
    ['nobody knows where it is worked out', "name: 'On ${{ github.ref }}'", null],
    ['what its matrix lists', 'strategy: { matrix: { os: [a, b] } }', ['checks (a)', 'checks (b)']],
    ['nobody knows where its matrix is worked out', "strategy: { matrix: { os: '${{ fromJSON(vars.OS) }}' } }", null],
    ['nobody knows where its matrix is more than lists', 'strategy: { matrix: { include: [{ os: a }] } }', null],
  ])('in a job that is called by %s', async (_title, line, jobs) => {
    const text = using('countersign/countersign@v0').replace('runs-on', `${line}\n    runs-on`)
    expect(await found(text)).toMatchObject({ runs: true, jobs })
  })
})

describe('no step that uses it', () => {
  test.each([
    ['another action', using('acme/build@v1')],
    ['one of somebody else, at a branch', using('evil/countersign@main')],
    ['one of somebody else, at a short commit', using('evil/countersign@0123456')],
    ['one of somebody else, at the commit in capitals', using(`evil/countersign@${sha.toUpperCase()}`)],
    ['one with a longer name', using('acme/countersign-lint@v1')],
    ['one whose name only ends so', using('acme/not-countersign@v1')],
    ['another action of the same repository', using('acme/countersign/other@v1')],
    ['a folder of another repository', using('acme/tools/countersign@v1')],
    ['without a version', using('acme/countersign')],
    ['an expression for the version', using("'acme/countersign@${{ github.head_ref }}'")],
    ['an expression for the owner', using("'${{ env.WHO }}/countersign@v1'")],
    ['an image', using('docker://acme/countersign:1')],
    ['a comment', `# uses: acme/countersign@v1\n${using('acme/build@v1 # was acme/countersign@v1')}`],
    ['a command', 'jobs: { a: { steps: [{ run: "echo uses acme/countersign@v1" }] } }'],
    ['a text', 'name: uses acme/countersign@v1\njobs: { a: { steps: [{ name: "uses: acme/countersign@v1" }] } }'],
    ['an input', 'jobs: { a: { steps: [{ uses: acme/build@v1, with: { uses: acme/countersign@v1 } }] } }'],
    [
      'a merge key, which GitHub does not take',
      'a: &a { uses: acme/countersign@v1 }\njobs: { a: { steps: [{ <<: *a }] } }',
    ],
    ['no jobs', 'uses: acme/countersign@v1\n'],
    ['jobs that are none', 'jobs: [{ steps: [{ uses: acme/countersign@v1 }] }]\n'],
    ['steps that are none', 'jobs: { a: { steps: { uses: acme/countersign@v1 } } }\n'],
    ['a file that cannot be read', `${using('acme/countersign@v1')}  - :\n bad: [`],
    ['a second key of the same name', `${using('acme/countersign@v1')}jobs: {}\n`],
    ['two documents', `---\n${using('acme/countersign@v1')}---\n${using('acme/countersign@v1')}`],
    ['nothing', ''],
  ])('%s', async (_title, text) => {
    expect(await found(text)).toMatchObject({ runs: false, unclear: false })
  })

  test('a file whose aliases multiply is not unfolded', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`,
    ).join('')
    const cost = await costMs(async () => {
      expect((await found(`a0: &a0 x\n${lines}${using('acme/countersign@v1')}`)).runs).toBe(false)
    })
    expect(cost).toBeLessThan(1_000)
  })
})

describe('an action of the workspace, where the change lies,', () => {
  const composite = (uses: string): string => `runs: { using: composite, steps: [{ uses: ${uses} }] }\n`
  const folder = '.github/actions/gate'

  test('counts by what it takes, and says on which files it rests', async () => {
    const elsewhere = {
      [`${folder}/action.yml`]: composite('./inner'),
      'inner/action.yaml': composite('countersign/countersign@v0'),
    }
    const rests_on = [`${folder}/action.yml`, 'inner/action.yaml']
    expect(await found(using(`./${folder}/`), elsewhere)).toEqual({
      runs: true,
      unclear: false,
      jobs: ['checks'],
      rests_on,
    })
  })

  test('and so does our own repository', async () => {
    expect(await found(using('./'), { 'action.yml': manifest })).toMatchObject({
      runs: true,
      rests_on: ['action.yml', 'action/dist/index.js'],
    })
  })

  test.each([
    ['that takes another', composite('evil/countersign@main'), false],
    ['that is called alike', 'name: Countersign\nruns: { using: node24, main: index.js }\n', false],
    ['that takes itself', composite(`./${folder}`), true],
    ['that is not there', '', true],
  ])('does not, %s', async (_title, text, unclear) => {
    expect(await found(using(`./${folder}`), { [`${folder}/action.yml`]: text })).toMatchObject({
      runs: false,
      unclear,
    })
  })

  const into = (more: string): string => `      - uses: actions/checkout@v5\n        with: { path: own, ${more} }\n`
  const base = "ref: '${{ github.event.pull_request.base.sha || github.event.merge_group.base_sha }}'"
  test.each([
    ['the base was put there', base, true],
    ['the Action itself was put there', 'repository: countersign/countersign', true],
    ['a mirror at a commit was put there', `repository: evil/countersign, ref: ${sha}`, true],
    ['a mirror at a branch was put there', 'repository: evil/countersign, ref: main', false],
    ['the head was put there', "ref: '${{ github.event.pull_request.head.sha }}'", false],
    ['the head may have been put there', "ref: '${{ github.event.pull_request.head.sha || github.base_ref }}'", false],
    ['whatever was checked out was put there', 'persist-credentials: false', false],
  ])('counts without resting on anything where %s', async (_title, more, runs) => {
    expect(await found(using('./own', into(more)), { 'action.yml': manifest })).toMatchObject({
      runs,
      ...(runs ? { rests_on: [] } : {}),
    })
  })
})

describe('a workflow that calls another', () => {
  const file = (name: string, text: string) => ({ path: `.github/workflows/${name}.yml`, text })
  const calling = (uses: string): string => `jobs: { all: { uses: ${uses} } }\n`
  const remote = `acme/.github/.github/workflows/shared.yml@${sha}`

  test('of its own repository goes by its own name, through as many as GitHub allows', async () => {
    const files = [
      file('outer', calling('./.github/workflows/middle.yml')),
      file('middle', calling('./.github/workflows/shared.yml')),
      file('shared', using('acme/countersign@v1')),
      file('other', calling('./.github/workflows/build.yml')),
      file('build', using('acme/build@v1')),
    ]
    const { known, unclear } = await search(files)
    expect({ unclear, known: known.map(({ path, jobs }) => [path, jobs]) }).toEqual({
      unclear: false,
      known: [
        [file('outer', '').path, ['all / all / checks']],
        [file('middle', '').path, ['all / checks']],
        [file('shared', '').path, ['checks']],
      ],
    })
  })

  test('of another repository counts at a commit, with what that one calls there', async () => {
    const deep = { [remote]: calling('./.github/workflows/deep.yml') }
    const there = { ...deep, [`acme/.github/.github/workflows/deep.yml@${sha}`]: using('countersign/countersign@v0') }
    expect(await found(calling(remote), there)).toMatchObject({ runs: true, jobs: ['all / all / checks'] })
  })

  test.each([
    [
      'at a branch',
      calling(remote.replace(sha, 'main')),
      { [remote.replace(sha, 'main')]: using('countersign/countersign@v0') },
    ],
    ['that cannot be read', calling(remote), {}],
    ['that uses a folder of whoever calls it', calling(remote), { [remote]: using('./'), 'action.yml': manifest }],
    ['that calls itself', calling('./.github/workflows/a.yml'), {}],
  ])('is not known, and said not to be: one %s', async (_title, text, elsewhere) => {
    expect(await found(text, elsewhere)).toMatchObject({ runs: false, unclear: true })
  })

  test('whose text takes too long to read', async () => {
    const reading = { jobs: async () => null, manifest: async () => null }
    const texts = [{ path, text: `jobs: { a: { steps: [{ uses: ./ }] } }` }]
    expect(await workflowsRunning(texts, 'acme', async () => null, reading)).toEqual({ known: [], unclear: true })
  })

  test('without end is not followed without end', async () => {
    const wide = `jobs: {${Array.from({ length: 60 }, (_, at) => ` j${at}: { uses: acme/x/.github/workflows/w${at}.yml@${sha} },`).join('')} }\n`
    let reads = 0
    const { unclear } = await workflowsRunning([{ path, text: wide }], 'acme', async () => {
      reads += 1
      return wide
    })
    expect(unclear).toBe(true)
    expect(reads).toBeLessThanOrEqual(40)
    const names = Array.from({ length: 40 }, (_, at) => `w${at}`)
    const all = names.map((name) => `${name}: { uses: ./.github/workflows/${name}.yml }`).join(', ')
    const cost = await costMs(async () => {
      expect(await search(names.map((name) => file(name, `jobs: { ${all} }`)))).toEqual({ known: [], unclear: true })
    })
    expect(cost).toBeLessThan(5_000)
  })
})
