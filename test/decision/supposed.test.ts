// What a webhook tells of results is a hint: it is supposed where it would pass a check, and nowhere else.
import { expect, test } from 'vitest'
import { supposed } from '../../src/core/decision/results/supposed.ts'
import type { ToldResult } from '../../src/core/news.ts'
import { anAttempt, policyOf } from '../words/attempts.ts'

const policy = policyOf({
  verification: {
    checks: [
      { name: 'build', check_run: 'ci / build' },
      { name: 'docs', check_run: 'docs', accept: ['success', 'skipped'] },
      { name: 'scan', status: 'scan' },
      { name: 'test', command: 'npm test' },
    ],
  },
})
const attempt = anAttempt({}, policy)
const told = (kind: ToldResult['kind'], name: string, conclusion: string | null, id = 1): ToldResult => ({
  kind,
  id,
  name,
  conclusion,
  at: '',
})

test.each<[string, readonly ToldResult[], readonly string[]]>([
  ['a run that passes', [told('check_run', 'ci / build', 'success')], ['build']],
  ['a run that fails', [told('check_run', 'ci / build', 'failure')], []],
  ['a run that goes on', [told('check_run', 'ci / build', null)], []],
  ['what another rule accepts', [told('check_run', 'ci / build', 'skipped')], []],
  ['what its rule accepts', [told('check_run', 'docs', 'skipped')], ['docs']],
  ['a run of the name of the check', [told('check_run', 'build', 'success')], []],
  ['a status that passes', [told('status', 'scan', 'success')], ['scan']],
  ['a status that waits', [told('status', 'scan', 'pending')], []],
  ['a status of the name of a run', [told('status', 'docs', 'success')], []],
  ['a run of the name of a status', [told('check_run', 'scan', 'success')], []],
  ['a workflow', [told('workflow_run', 'test', 'success')], []],
  ['a failure behind a pass', [told('check_run', 'docs', 'failure', 3), told('check_run', 'docs', 'success', 2)], []],
  [
    'several',
    [
      told('check_run', 'docs', 'failure', 2),
      told('check_run', 'docs', 'success', 3),
      told('status', 'scan', 'success'),
    ],
    ['docs', 'scan'],
  ],
  ['nothing', [], []],
])('%s', (_, results, names) => {
  const inputs = supposed(attempt, results)
  expect(inputs.map((input) => input.type === 'report_check' && input.state === 'passed' && input.name)).toEqual(names)
})
