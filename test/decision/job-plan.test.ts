// Which job of a workflow proves which check, and why another proves nothing.
import { expect, test } from 'vitest'
import { jobPlan, type ActionUse, type WorkflowPart } from '../../src/core/decision/results/job-plan.ts'
import { policyOf } from '../words/attempts.ts'

const { checks: rules } = policyOf({
  verification: {
    checks: [
      { name: 'test', command: 'x' },
      { name: 'lint', command: 'y' },
    ],
  },
}).verification
const running = (name: string | null, check: string | null, more: Partial<ActionUse> = {}): WorkflowPart => {
  return { name, action: { checks: [check], certain: true, alone: true, ...more } }
}
const tier1 = running('tier1', null)
const [test1, lint] = [running('test', 'test', { alone: false }), running('lint', 'lint')]
const other: WorkflowPart = { name: 'deploy', action: null }

function told(...parts: readonly WorkflowPart[]): string {
  const planned = jobPlan(parts, rules)
  if ('why' in planned) return `nothing: ${planned.why}`
  const { tier1: job, jobs, without } = planned.plan
  const by = Array.from(jobs, ([check, name]) => `${check} by ${name}`)
  return [`tier1 by ${job}`, ...by, ...without].join('; ')
}

test.each<[string, readonly WorkflowPart[], RegExp]>([
  ['each has one', [tier1, test1, lint, other], /^tier1 by tier1; test by test; lint by lint$/],
  ['called otherwise', [tier1, running('a', 'test'), lint], /test by a; lint by lint$/],
  ['one check has none', [tier1, test1], /test by test; no job of it runs `lint` alone: `countersign workflow/],
  [
    'one check has two',
    [tier1, test1, running('b', 'test'), lint],
    /lint by lint; more than one of its jobs runs `test`/,
  ],
  ['another job is called the same', [tier1, test1, lint, { name: 'test', action: null }], /several .* called `test`/],
  ['a job may pass for nothing', [tier1, running('test', 'test', { certain: false }), lint], /`test` may pass where/],
  [
    'a job runs several',
    [tier1, running('test', 'test', { checks: ['test', 'lint'] })],
    /runs the Action more than once/,
  ],
  ['a check is worked out', [tier1, running('test', '${{ inputs.check }}'), lint], /no job of it runs `test` alone/],
  ['there is no tier 1', [test1, lint], /^nothing: no job of it runs the Action without `check`/],
  ['there are two of it', [tier1, running('more', null), test1, lint], /^nothing: more than one .* without `check`/],
  ['tier 1 may pass for nothing', [running('tier1', null, { certain: false })], /^nothing: its job `tier1` may pass/],
  ['more happens before tier 1', [running('tier1', null, { alone: false }), test1], /^nothing: .* does more than/],
  ['a job cannot be named', [tier1, test1, lint, { name: null, action: null }], /^nothing: one of its jobs has a name/],
  ['the job of a check cannot', [tier1, running(null, 'test'), lint], /^nothing: one of its jobs has a name/],
])('%s', (_title, parts, words) => {
  expect(told(...parts)).toMatch(words)
})
