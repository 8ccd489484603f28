// The bundled Action as a process: which checks the blocks of a task add, whose words may add a command, and what is said
// where they cannot be read.
import { afterAll, expect, test, vi } from 'vitest'
import { governing } from '../../src/core/contract/policy/governing.ts'
import { aStage, closeStages, policyWith, runs, type Run } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const policy = policyWith({ test: runs('true') })
const blockOf = (checks: string): string =>
  `Please.\n\n\`\`\`countersign\nverification: { checks: [${checks}] }\n\`\`\`\n`
const more = blockOf('{ name: more, command: exit 9 }')
const ran = (run: Run) => run.results().checks.map(({ name, exit_code }) => [name, exit_code])
const unseen = expect.stringContaining('permissions: { contents: read, issues: read, pull-requests: read }')

test("the pull request's own block adds a check, and the hash is that of the policy alone", async () => {
  const run = await (await aStage({ policy, body: more })).run()
  expect(ran(run)).toEqual([
    ['test', 0],
    ['more', 9],
  ])
  expect(run.results().policy.hash).toBe(governing({ own: policy, organisation: null }).hash)
  expect(run.results().warnings).toEqual([])
})

test('an issue that it closes is the task, the lowest one; the others add, and its own text does not', async () => {
  const issues = [
    { body: blockOf('{ name: more, command: exit 9 }, { name: test, command: exit 1, timeout: 1s }'), by: 'ada' },
    { body: blockOf('{ name: other, command: exit 8 }, { name: more, command: "true" }'), by: 'cleo' },
    { body: blockOf('{ name: unrelated, command: exit 7 }'), by: 'ada' },
  ]
  const body = `Closes #2, closes #1.\n\n${blockOf('{ name: mine, command: exit 6 }')}`
  const run = await (await aStage({ policy, issues, body })).run()
  expect(run.code).toBe(1)
  expect(ran(run)).toEqual([
    ['test', 0],
    ['more', 9],
    ['other', 8],
  ])
  expect(run.results().warnings).toEqual([])
})

test('a command in an issue runs only when whoever wrote it last may write here', async () => {
  const issues = [
    { body: blockOf('{ name: theirs, command: "touch ran-it" }, { name: test, timeout: 5s }'), by: 'eve' },
    { body: blockOf('{ name: ours, command: "test ! -e ran-it" }, { name: theirs, timeout: 5s }'), by: 'ada' },
  ]
  const stage = await aStage({ policy, issues, body: 'Closes #1, closes #2' })
  const run = await stage.run()
  expect(run.code).toBe(0)
  expect(ran(run)).toEqual([
    ['test', 0],
    ['ours', 0],
  ])
  const words = expect.stringMatching(/^#1 asks for `theirs`, which did not run: a check is a command/)
  expect(run.results().warnings).toEqual([words])
  expect(run.summary).toContain('which did not run')
  expect(run.log).toContain('::warning title=Countersign::#1 asks for `theirs`')
  stage.github.editIssue('acme/shop', 1, { body: `${issues[0]?.body ?? ''}Looked at.\n`, by: 'cleo' })
  expect(ran(await stage.run()).map(([name]) => name)).toEqual(['test', 'theirs', 'ours'])
})

test.each([
  ['a private repository with the usual permissions', { private: true }, null],
  ['a GitHub that refuses the question', {}, { status: 403, message: 'Resource not accessible by integration' }],
  ['a GitHub without GraphQL', {}, { status: 404 }],
] as const)('%s: what is not seen is said, and everything else runs', async (_title, wishes, trouble) => {
  const stage = await aStage({ policy, issues: [{ body: more, by: 'ada' }], body: 'Closes #1', ...wishes })
  if (trouble !== null) stage.github.addFault({ path: '/graphql', trouble: { kind: 'answer', ...trouble } })
  const run = await stage.run()
  expect(run.code).toBe(0)
  expect(ran(run)).toEqual([['test', 0]])
  expect(run.results().warnings).toEqual([unseen])
  expect(run.summary).toMatch(/#### Worth knowing\n\n- The issues that this pull request may close could not be read/)
  expect(run.log).not.toContain('::warning')
})

test('a private repository whose job may read issues and pull requests', async () => {
  const permissions = { contents: 'read', issues: 'read', pull_requests: 'read' } as const
  const issues = [{ body: more, by: 'ada' }]
  const run = await (await aStage({ policy, issues, body: 'Closes #1', private: true, permissions })).run()
  expect(ran(run)).toEqual([
    ['test', 0],
    ['more', 9],
  ])
})

test('trouble at GitHub is no reason to leave a check out', async () => {
  const stage = await aStage({ policy, issues: [{ body: more, by: 'ada' }], body: 'Closes #1' })
  stage.github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 422, message: 'No' } })
  const run = await stage.run()
  expect(run.code).toBe(1)
  expect(run.log).toContain('::error::Countersign could not do its work. This says nothing about the change')
})

test('a block that cannot be read is named where it stands, and no policy is blamed', async () => {
  const issues = [{ body: blockOf('{ name: more, comand: "true" }'), by: 'ada' }]
  const run = await (await aStage({ policy, issues, body: 'Closes #1' })).run()
  expect(run.code).toBe(1)
  expect(run.log).toMatch(/::error title=Countersign%3A the block of the task::#1:1 .*command/)
  expect(run.log).toContain('::error::The block in which the task states what it asks cannot be read')
  expect(run.files.size).toBe(0)
})

test('a merge group is judged by the policy alone', async () => {
  const stage = await aStage({ policy, issues: [{ body: more, by: 'ada' }], body: 'Closes #1', checkout: 'merge' })
  const group = { head_sha: stage.mergeSha, base_sha: stage.baseSha, base_ref: 'refs/heads/main', head_ref: 'x' }
  const run = await stage.run({ event: 'merge_group', payload: { action: 'checks_requested', merge_group: group } })
  expect(ran(run)).toEqual([['test', 0]])
})
