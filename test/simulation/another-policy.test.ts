// What a history would have come to under another policy: what machines found out stays, what people said is judged anew.
import { expect, test } from 'vitest'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { underPolicy } from '../../src/core/simulation/another-policy.ts'
import { abe, ada, aScene, bob, cleo, type Scene } from '../people/scene.ts'
import { at } from '../decision/play.ts'
import { recording } from './recording.ts'

const base: PolicyInput = {
  identities: { agents: ['agent'] },
  verification: {
    checks: [{ name: 'test', command: 'npm test' }],
    verifier: { enabled: false },
    retry: { max_attempts: 3 },
  },
}
const withLint = {
  ...base.verification,
  checks: [...(base.verification?.checks ?? []), { name: 'lint', command: 'l' }],
}

function told(happens: (scene: Scene) => void, other: PolicyInput): string {
  const record = recording('acme/shop#7', at)
  const scene = aScene(base, undefined, (events, input) => {
    record.add(events, 'saying' in input ? input.saying.user : null)
  })
  happens(scene)
  const rows = underPolicy('acme/shop#7', record.events(), policySchema.parse({ ...base, ...other }))
  return rows
    .map(({ before, after, unknown }) =>
      [`${before.status} ${before.row} to ${after.status} ${after.row}`, ...unknown].join('; '),
    )
    .join(' and ')
}

const green = { checks: { test: 'passed' } } as const
const red = { checks: { test: 'failed' } } as const

test.each<[string, (scene: Scene) => void, PolicyInput, string]>([
  ['the same', (scene) => scene.push('a', green), {}, 'success success to success success'],
  [
    'an approval is wanted',
    (scene) => scene.push('a', green),
    { merge_requires: 'completed' },
    'success success to refer review',
  ],
  [
    'an approval is wanted, and was given',
    (scene) => {
      scene.push('a', green)
      scene.reviews(bob, 'approved')
    },
    { merge_requires: 'completed' },
    'success success to success success',
  ],
  [
    'an approval by somebody in a role is wanted',
    (scene) => {
      scene.push('a', green)
      scene.reviews(bob, 'approved')
    },
    { merge_requires: 'completed', roles: { reviewer: ['cleo'] } },
    'success success to refer review',
  ],
  [
    'an override takes more',
    (scene) => {
      scene.push('a', red)
      scene.says(ada, '/override the runner broke')
    },
    { override_policy: { min_permission: 'admin' } },
    'success success to retry checks',
  ],
  [
    'an override by name takes more, and somebody had it',
    (scene) => {
      scene.push('a', red)
      scene.says(cleo, '/override --check test the runner broke')
    },
    { override_policy: { min_permission: 'admin' } },
    'success success to success success',
  ],
  [
    'an override that was taken back stays taken back',
    (scene) => {
      scene.push('a', red)
      scene.says(ada, '/override the runner broke')
      scene.says(ada, '/revoke')
    },
    { merge_requires: 'completed' },
    'retry checks to retry checks',
  ],
  [
    'a rejection stays one',
    (scene) => {
      scene.push('a', green)
      scene.says(abe, '/reject not like this')
    },
    { merge_requires: 'completed' },
    'failed rejected to failed rejected',
  ],
  [
    'a rejecting review that was dismissed is gone',
    (scene) => {
      scene.push('a', green)
      scene.reviews(bob, 'changes_requested')
      scene.dismisses(cleo)
    },
    { merge_requires: 'completed' },
    'success success to refer review',
  ],
  [
    'fewer attempts',
    (scene) => {
      scene.push('a', red)
      scene.push('b', red)
    },
    { verification: { ...base.verification, retry: { max_attempts: 1 } } },
    'retry checks to failed spent',
  ],
  [
    'another scope',
    (scene) => scene.push('a', { ...green, files: ['vendor/x.js'] }),
    { scope: { deny: ['vendor/**'] } },
    'success success to failed scope',
  ],
  [
    'a check that nobody asked for',
    (scene) => scene.push('a', green),
    { verification: withLint },
    'success success to success success; `lint` was not asked for',
  ],
  [
    'a check that ran, and did not count then',
    (scene) => scene.push('a', { checks: { test: 'passed', lint: 'failed' } }),
    { verification: withLint },
    'success success to retry checks; `lint` was another check',
  ],
  [
    'another command',
    (scene) => scene.push('a', green),
    { verification: { ...base.verification, checks: [{ name: 'test', command: 'npm run all' }] } },
    'success success to success success; `test` was another check',
  ],
  [
    'an AI review that nobody asked for',
    (scene) => scene.push('a', green),
    { verification: { ...base.verification, verifier: { enabled: true } } },
    'success success to success success; the AI review was not asked',
  ],
  [
    'what was refused may be allowed now',
    (scene) => {
      scene.push('a', red)
      scene.says(bob, '/override the runner broke')
    },
    { override_policy: { min_permission: 'write' } },
    'retry checks to retry checks; what `bob` asked for was refused, and is not judged again',
  ],
  [
    'a wait that is over',
    (scene) => {
      scene.push('a', {})
      scene.waited()
    },
    { merge_requires: 'completed' },
    'refer pending to refer pending',
  ],
])('%s', (_what, happens, other, words) => {
  expect(told(happens, other)).toBe(words)
})
