// What the Action judges by where the base says little, and which files it sees on which kind of checkout.
import { afterAll, describe, expect, test, vi } from 'vitest'
import { governing } from '../../src/core/contract/policy/governing.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const hashOf = (own: string, organisation: string | null = null): string => governing({ own, organisation }).hash

describe('by which policy', () => {
  test("over the organisation's default", async () => {
    const [organisation, policy] = [policyWith({ theirs: runs('true') }), policyWith({ ours: runs('true') })]
    const run = await (await aStage({ policy, organisation })).run()
    expect(run.results().checks.map(({ name }) => name)).toEqual(['theirs', 'ours'])
    expect(run.results().policy).toEqual({ hash: hashOf(policy, organisation), organisation: 'read' })
  })

  test('none: nothing is judged, and it says how to begin', async () => {
    const run = await (await aStage({ policy: null })).run()
    expect(run.code).toBe(1)
    expect(run.log).toContain('::error::There is no policy on `main` yet, so nothing was judged. To begin, add')
  })

  test('what the change proposes, where there is none: as if it enforced, and that is said', async () => {
    const change = { '.github/countersign.yml': `mode: off\n${policyWith({ test: runs('exit 3') })}` }
    const stage = await aStage({ policy: null, change })
    const run = await stage.run()
    expect([run.code, run.outputs['passed']]).toEqual([1, 'false'])
    expect(run.summary).toContain('as if it said `mode: enforce` and not `off`')
    expect(run.results().policy.hash).not.toBe(hashOf(change['.github/countersign.yml']))
    // A workflow that the change cannot edit is no more lenient for what the change brings along.
    const env = { GITHUB_WORKFLOW_REF: 'acme/rules/.github/workflows/gate.yml@refs/heads/main' }
    const imposed = await stage.run({ env })
    expect(imposed.code).toBe(1)
    expect(imposed.log).toContain('::error::There is no policy on `main` yet, so nothing was judged.')
  })

  test('off does nothing and says so; shadow does everything and stops nothing', async () => {
    const off = await (await aStage({ policy: `mode: off\n${policyWith({ test: runs('exit 1') })}` })).run()
    expect([off.code, off.outputs['passed'], off.files.size]).toEqual([0, '', 0])
    expect(off.summary).toContain('`mode: off`')
    const shadow = await (await aStage({ policy: `mode: shadow\n${policyWith({ test: runs('exit 1') })}` })).run()
    expect([shadow.code, shadow.outputs['passed']]).toEqual([0, 'false'])
    expect(shadow.log).toContain('It would have: `test` failed with exit code 1.')
  })
})

describe('which files', () => {
  const paths = policyWith({ web: runs('true', 'paths: ["web/**"]'), all: runs('true') })

  test.each(['head', 'merge', 'shallow merge'] as const)(
    'names of every kind survive, on a %s checkout',
    async (checkout) => {
      const base = { 'web/old "name".json': '{"a": 1,\n "b": 2,\n "c": 3}\n', 'gone.json': '{}\n' }
      const change = {
        'web/old "name".json': null,
        "web/new\n$(touch x)`name'.json": '{"a": 1,\n "b": 2,\n "c": 3}\n',
        'gone.json': null,
        'ünï.json': '{',
        '-rf.json': '{',
      }
      const run = await (await aStage({ policy: paths, base, change, checkout })).run()
      const checks = run.results().tier1?.checks ?? []
      expect(checks.map(({ name, passed }) => `${passed ? '+' : '-'} ${name}`).toSorted()).toEqual([
        '+ file_nonempty_-rf.json',
        "+ file_nonempty_web/new\n$(touch x)`name'.json",
        '+ file_nonempty_ünï.json',
        "+ syntax_new\n$(touch x)`name'.json",
        '- syntax_-rf.json',
        '- syntax_ünï.json',
      ])
      expect(run.results().checks.map(({ name }) => name)).toEqual(['web', 'all'])
    },
  )

  test('where git cannot fetch, GitHub says what changed', async () => {
    const change = { 'web/a.json': '{', 'test/a.test.ts': `${['test', 'only'].join('.')}('a', () => {})\n` }
    const stage = await aStage({ policy: paths, change, checkout: 'shallow merge' })
    const run = await stage.run({ env: { GITHUB_SERVER_URL: 'http://nowhere.localhost:9' } })
    expect(run.code).toBe(1)
    expect(run.results().tier1?.checks.map(({ name }) => name)).toContain('syntax_a.json')
    expect(run.results().tier1?.findings).toHaveLength(1)
    expect(run.results().warnings.join('\n')).toContain('comes from GitHub and not from git')
  })
})
