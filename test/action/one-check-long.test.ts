// `isolation: job` with the bundled Action as a process: a job with `check` is that check and nothing else, one without is
// tier 1 and nothing else, and what cannot be had is refused.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { artifactOfCheck } from '../../src/core/decision/results/results-file.ts'
import { aStage, closeStages, policyWith, runs, type RunWishes, type Wishes } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const byJob = '  execution: { isolation: job }\n'
const checks = {
  test: runs('echo tested > ran-test'),
  bad: runs('echo broken; exit 3', 'required: false'),
  docs: runs('touch ran-docs', "paths: ['docs/**']"),
}
async function ran(wishes: Wishes, { inputs = {}, ...more }: RunWishes = {}) {
  const stage = await aStage(wishes)
  const run = await stage.run({ ...more, inputs })
  return { stage, run, didRun: (name: string) => existsSync(join(stage.workspace, name)) }
}
const policy = policyWith(checks, byJob)

describe('a job with `check`', () => {
  test('runs that check, and neither the others nor tier 1', async () => {
    const { stage, run, didRun } = await ran({ policy, change: { 'bad.json': '{' } }, { inputs: { check: 'test' } })
    expect([run.code, run.outputs['passed'], didRun('ran-test'), didRun('ran-docs')]).toEqual([0, 'true', true, false])
    const { tier1, left_out, checks: told } = run.results()
    expect([tier1, left_out, told.map(({ name, passed }) => [name, passed])]).toEqual([null, [], [['test', true]]])
    expect(stage.artifacts.uploads.map(({ name }) => name)).toEqual([artifactOfCheck('test')])
    expect(run.summary).toContain('### ✅ Countersign: `test` passed')
    expect(run.summary).not.toContain('tier 1')
  })

  test.each(['enforce', 'shadow'])('fails with it, also where nothing requires it, under `mode: %s`', async (mode) => {
    const { run } = await ran({ policy: `mode: ${mode}\n${policy}` }, { inputs: { check: 'bad' } })
    expect([run.code, run.outputs['passed']]).toEqual([1, 'false'])
    expect(run.log).toContain('::error::Countersign: `bad` failed with exit code 3.')
    expect(run.results().checks).toMatchObject([{ name: 'bad', exit_code: 3, output: 'broken\n' }])
  })

  test('runs it whatever changed: one that is left out would end like one that passed', async () => {
    const { run, didRun } = await ran({ policy }, { inputs: { check: 'docs' } })
    expect([run.code, didRun('ran-docs'), run.results().left_out]).toEqual([0, true, []])
  })

  test('serves a merge group', async () => {
    const stage = await aStage({ policy, checkout: 'merge' })
    const merge_group = { head_sha: stage.mergeSha, base_sha: stage.baseSha, base_ref: 'refs/heads/main' }
    const payload = { action: 'checks_requested', merge_group }
    const run = await stage.run({ event: 'merge_group', payload, inputs: { check: 'test' } })
    expect([run.code, run.results().event, run.results().checks.length]).toEqual([0, 'merge_group', 1])
  })
})

describe('a job without `check`', () => {
  test('is tier 1, and runs no command', async () => {
    const { stage, run, didRun } = await ran({ policy })
    expect([run.code, didRun('ran-test')]).toEqual([0, false])
    expect(run.results()).toMatchObject({ checks: [], left_out: [], tier1: { passed: true } })
    expect(stage.artifacts.uploads.map(({ name }) => name)).toEqual(['countersign-results'])
    expect(run.summary).toContain('each check has a job of its own')
  })

  test.each(['enforce', 'shadow'])('fails with tier 1, under `mode: %s`', async (mode) => {
    const { run } = await ran({ policy: `mode: ${mode}\n${policy}`, change: { 'bad.json': '{' } })
    expect([run.code, run.outputs['passed']]).toEqual([1, 'false'])
    expect(run.log).toContain('::error::Countersign: a built-in check failed')
  })
})

describe('what cannot be had is refused, and nothing runs:', () => {
  test.each([
    ['a check that nobody knows', policy, 'tset', 'no command of that name'],
    [
      'a check that is adopted',
      `${policy}    - { name: build, check_run: build }\n`,
      'build',
      'There are `test`, `bad`, `docs`.',
    ],
    ['one check by `shared`', policyWith(checks), 'test', 'says `isolation: shared`'],
    ['one check by `user`', policyWith(checks, '  execution: { isolation: user }\n'), 'test', 'says `isolation: user`'],
  ])('%s', async (_title, text, check, words) => {
    const { run, didRun } = await ran({ policy: text }, { inputs: { check } })
    expect([run.code, run.outputs['passed'], didRun('ran-test'), run.files.size]).toEqual([1, 'false', false, 0])
    expect(run.log).toContain(words)
  })
})

test('names that no artifact can bear, or that look alike, have artifacts of their own', () => {
  const names = ['a/b', 'a:b', 'a?b', 'npm run test -- --all', 'ä', 'ö', 'x'.repeat(100), `${'x'.repeat(99)}y`]
  const all = names.map(artifactOfCheck)
  expect(new Set(all).size).toBe(names.length)
  for (const one of all) expect(one).toMatch(/^countersign-results-[A-Za-z0-9_-]{0,40}-[0-9a-f]{16}$/)
})
