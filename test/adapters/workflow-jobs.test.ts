// What the text of a workflow says of its jobs: what GitHub calls each, and whether it ends as the Action in it does.
import { expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import fc from 'fast-check'
import { jobsIn } from '../../src/adapters/github/results/workflow-file.ts'
import { workflowsRunning } from '../../src/adapters/github/results/workflows.ts'
import { jobPlan } from '../../src/core/decision/results/job-plan.ts'
import { workflowText } from '../../src/core/words/run/workflow-text.ts'
import { policyOf } from '../words/attempts.ts'

const path = '.github/workflows/a.yml'
const ours = 'countersign/countersign@v0'
const partsOf = async (text: string, elsewhere: Readonly<Record<string, string>> = {}) => {
  const { known } = await workflowsRunning([{ path, text }], 'acme', async (_where, file) => elsewhere[file] ?? null)
  return known[0]?.parts ?? []
}
const job = (more: string, step = '{}'): string =>
  `jobs: { a: { ${more} steps: [{ uses: actions/checkout@v5 }, { uses: ${ours}, with: { check: test }, ...${step} }] } }`
    .replace(', ...{}', '')
    .replace(/, \.\.\.\{ (.*?) \} \}\]/, ', $1 }]')

const plain = { checks: ['test'], certain: true, alone: true }
const doubtful = { ...plain, certain: false }

test.each<[string, string, unknown]>([
  ['of one check', job(''), [{ name: 'a', action: plain }]],
  ['that may fail', job('continue-on-error: true,'), [{ name: 'a', action: doubtful }]],
  ['that may fail when something is so', job("continue-on-error: '${{ x }}',"), [{ name: 'a', action: doubtful }]],
  ['that may not fail', job('continue-on-error: false,'), [{ name: 'a', action: plain }]],
  ['whose step may fail', job('', '{ continue-on-error: true }'), [{ name: 'a', action: doubtful }]],
  ['whose step may be left out', job('', '{ if: always() }'), [{ name: 'a', action: doubtful }]],
  ['that may be skipped as a whole', job('if: github.event.x,'), [{ name: 'a', action: plain }]],
])('a job %s', async (_title, text, parts) => {
  expect(await partsOf(text)).toEqual(parts)
})

const steps = (...all: string[]): string => `jobs: { a: { steps: [${all.join(', ')}] } }`
test.each<[string, string, boolean]>([
  ['a checkout', '{ uses: actions/checkout@v5 }', true],
  ['a command', '{ run: npm ci }', false],
  ['an action of somebody else', '{ uses: acme/build@v1 }', false],
  ['an action that may run what lies there', '{ uses: actions/setup-node@v5 }', false],
  ['an action of the workspace', '{ uses: ./.github/actions/a }', false],
])('beside the Action there is %s', async (_title, step, alone) => {
  const elsewhere = { '.github/actions/a/action.yml': 'runs: { steps: [{ run: x }] }\n' }
  expect(await partsOf(steps(step, `{ uses: ${ours} }`), elsewhere)).toEqual([
    { name: 'a', action: { checks: [null], certain: true, alone } },
  ])
})

test('an action of the workspace is as sure as what it takes, and as the step that takes it', async () => {
  const gate = (more: string) => ({
    'gate/action.yml': `runs: { steps: [{ uses: ${ours}, with: { check: test }, ${more} }] }\n`,
  })
  const taken = (more: string) => steps(`{ uses: ./gate, ${more} }`)
  const sure = async (outer: string, inner: string) => (await partsOf(taken(outer), gate(inner)))[0]?.action?.certain
  expect([await sure('', ''), await sure('if: x', ''), await sure('', 'continue-on-error: true')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a matrix is unfolded, in names and in `check`, and a job that calls another workflow too', async () => {
  const inner = `jobs: { one: { strategy: { matrix: { c: [x, y], n: [1] } }, steps: [{ uses: ${ours}, with: { check: '\${{ matrix.c }}' } }] } }`
  const text = `jobs: { all: { uses: ./.github/workflows/b.yml }, other: { name: 'On \${{matrix.os}}', strategy: { matrix: { os: [z] } } } }`
  const parts = await partsOf(text, { '.github/workflows/b.yml': inner })
  expect(parts.map(({ name, action }) => [name, action?.checks])).toEqual([
    ['all / one (x, 1)', ['x']],
    ['all / one (y, 1)', ['y']],
    ['On z', undefined],
  ])
})

test.each([
  ["name: '${{ github.head_ref }}',", 'a name that is worked out'],
  ["name: '${{ matrix.b }}', strategy: { matrix: { a: [x] } },", 'a name by what the matrix does not have'],
  ["strategy: { matrix: { a: ['${{ github.head_ref }}'] } },", 'a value that is worked out'],
  ['strategy: { matrix: { a: [[x]] } },', 'values that are no plain ones'],
  [`name: ${'x'.repeat(101)},`, 'a name that GitHub cuts'],
  [`strategy: { matrix: { a: [${'x'.repeat(99)}] } },`, 'a value that makes it so long'],
])('%s: nobody knows its name', (more) => {
  expect(jobsIn(job(more)).map(({ name }) => name)).toEqual([null])
})

test('a matrix without end is not unfolded', async () => {
  const many = Array.from({ length: 8 }, (_, at) => `k${at}: [${'x, '.repeat(60)}x]`).join(', ')
  const unfolding = () =>
    expect(jobsIn(job(`strategy: { matrix: { ${many} } },`)).map(({ name }) => name)).toEqual([null])
  expect(await costMs(unfolding)).toBeLessThan(1_000)
})

const odd = fc.constantFrom(' ', '\n', '\u2028', '${{ x }}', '"', "'", '\\', '#', ': ', '{', '- ')
const unit = fc.oneof({ weight: 30, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) }, odd)
const aName = fc.string({ unit, minLength: 1, maxLength: 20 }).filter((name) => name !== 'tier1' && !(name in {}))
const asked = fc.uniqueArray(aName, { minLength: 1, maxLength: 8 })

test('what `countersign workflow` prints gives each check a job that bears its name, or is not printed', async () => {
  const seen = { text: 0, unfit: 0 }
  await fc.assert(
    fc.asyncProperty(asked, async (names) => {
      const checks = names.map((name) => ({ name, command: 'true' }))
      const policy = policyOf({ verification: { checks } })
      const written = workflowText(policy, 'job')
      seen[written.kind] += 1
      if (written.kind === 'unfit') return
      const planned = jobPlan(await partsOf(written.text), policy.verification.checks)
      const jobs = new Map(names.map((name) => [name, name]))
      expect(planned).toEqual({ plan: { tier1: 'tier1', jobs, without: [] } })
    }),
    { seed: 12, numRuns: 300 },
  )
  expect(Math.min(seen.text, seen.unfit)).toBeGreaterThan(20)
})
