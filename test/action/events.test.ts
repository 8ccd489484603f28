// The bundled Action as a process: what it judges, by which policy, and on which checkout.
import { mkdirSync, symlinkSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { governing } from '../../src/core/contract/policy/governing.ts'
import { shareOf } from '../depth.ts'
import { digestOf } from './artifact-server.ts'
import { git } from './origin.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const hashOf = (own: string, organisation: string | null = null): string => governing({ own, organisation }).hash

describe('what is judged', () => {
  test('a pull request from a fork, with a token that may only read', async () => {
    const policy = policyWith({ test: runs('cat src/new.ts') })
    const stage = await aStage({ policy, fork: true, checkout: 'shallow merge' })
    const run = await stage.run()
    expect(run.code).toBe(0)
    expect(run.results()).toMatchObject({
      repository: 'acme/shop',
      event: 'pull_request',
      pull: stage.number,
      head_sha: stage.headSha,
      base_ref: 'main',
      run: { id: 77, attempt: 2, workflow: '.github/workflows/countersign.yml' },
      policy: { hash: hashOf(policy), organisation: 'unseen' },
    })
    const words = `The checks ran on ${stage.mergeSha.slice(0, 7)}, the merge of ${stage.headSha.slice(0, 7)}`
    expect(run.results().warnings).toEqual([expect.stringContaining(words)])
    expect(stage.artifacts.uploads[0]?.hash).toBe(digestOf(stage.artifacts.uploads[0]?.zip ?? new Uint8Array()))
  })

  test('a merge group', async () => {
    const stage = await aStage({ checkout: 'merge' })
    const merge_group = {
      head_sha: stage.mergeSha,
      base_sha: stage.baseSha,
      base_ref: 'refs/heads/main',
      head_ref: 'x',
    }
    const run = await stage.run({ event: 'merge_group', payload: { action: 'checks_requested', merge_group } })
    expect(run.code).toBe(0)
    expect(run.results()).toMatchObject({
      event: 'merge_group',
      pull: null,
      head_sha: stage.mergeSha,
      base_ref: 'main',
    })
  })

  test('a merge group from the tip of its branch on, with what the group changes that it stands on', async () => {
    const policy = policyWith({ docs: runs('cat src/new.ts', "paths: ['src/**']") })
    const stage = await aStage({ policy, checkout: 'merge' })
    const merge_group = {
      head_sha: stage.mergeSha,
      base_sha: stage.headSha,
      base_ref: 'refs/heads/main',
      head_ref: 'x',
    }
    const run = await stage.run({ event: 'merge_group', payload: { action: 'checks_requested', merge_group } })
    expect(run.results()).toMatchObject({ checks: [{ name: 'docs', passed: true }], left_out: [] })
  })

  test.each(shareOf(3, ['push', 'pull_request_target', 'workflow_dispatch']))(
    'nothing on %s, which is said',
    async (event) => {
      const run = await (await aStage()).run({ event, payload: {} })
      expect(run.code).toBe(1)
      expect(run.log).toMatch(/::error::Countersign (judges pull requests|does not run on pull_request_target)/)
      expect(run.outputs['passed']).toBe('false')
      expect(run.files.size).toBe(0)
    },
  )

  test('no checkout, or one of something else, is refused in words that help', async () => {
    const none = await (await aStage({ checkout: 'none' })).run()
    expect(none.code).toBe(1)
    expect(none.log).toContain('::error::There is no checkout here. Add `- uses: actions/checkout` before this step.')
    const stage = await aStage()
    git(stage.workspace, ['checkout', '--quiet', stage.baseSha])
    const other = await stage.run()
    expect(other.code).toBe(1)
    expect(other.log).toContain(`::error::The checkout is ${stage.baseSha}, which is neither ${stage.headSha}`)
  })
})

describe('by which policy', () => {
  test('that of the base as it is now, never that of the head', async () => {
    const change = { '.github/countersign.yml': policyWith({ lax: runs('true') }), 'src/a.ts': 'a\n' }
    const stage = await aStage({ policy: policyWith({ old: runs('true') }), change })
    const strict = policyWith({ strict: runs('exit 5') })
    stage.github.push('acme/shop', 'main', { files: { '.github/countersign.yml': strict }, author: 'cleo' })
    const run = await stage.run()
    expect(run.code).toBe(1)
    expect(run.results().checks.map(({ name }) => name)).toEqual(['strict'])
    expect(run.results().policy.hash).toBe(hashOf(strict))
  })

  test('an invalid one fails, each problem at its line', async () => {
    const run = await (await aStage({ policy: 'version: 1\nverification:\n  chekcs: []\nmode: maybe\n' })).run()
    expect(run.code).toBe(1)
    expect(run.log).toMatch(/::error title=[^,]+,file=\.github\/countersign\.yml,line=3,col=3::.*checks/)
    expect(run.log).toMatch(/file=\.github\/countersign\.yml,line=4/)
    expect(run.log).toContain('is invalid (2 problems)')
  })
})

describe('which files', () => {
  const paths = policyWith({ web: runs('true', 'paths: ["web/**"]'), all: runs('true') })

  test('checks that the change does not concern are left out, and said', async () => {
    const run = await (await aStage({ policy: paths })).run()
    expect(run.results().checks.map(({ name }) => name)).toEqual(['all'])
    expect(run.results().left_out).toEqual(['web'])
    expect(run.summary).toContain('| ⏭️ | `web` | left out: none of its paths changed |')
  })

  test('no link is followed out of the checkout', async () => {
    const outside = '/etc/passwd'
    const change = {
      'out.json': { text: outside, mode: '120000' },
      'in.txt': { text: 'README.md', mode: '120000' },
    } as const
    const more = '  tier1: { expected_outputs: [in.txt, out.json, folder/hosts, ../x] }\n'
    const stage = await aStage({ policy: policyWith({ test: runs('true') }, more), change })
    mkdirSync(`${stage.workspace}/a`)
    symlinkSync('/etc', `${stage.workspace}/folder`)
    const run = await stage.run()
    const failed = (run.results().tier1?.checks ?? []).filter(({ passed }) => !passed)
    expect(failed.map(({ name }) => name)).toEqual([
      'file_exists_out.json',
      'file_exists_folder/hosts',
      'file_exists_../x',
      'symlink_target_out.json',
    ])
    expect([...run.files.values()].map(String).join('')).not.toContain('root:')
  })
})
