// Other names of the same keys are read, moved to their place, and reported where they were written.
import { describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'

describe('an alias is read as its proper spelling', () => {
  test.each([
    ['project: { mode: off }', { mode: 'off' }],
    ['task: { mode: off }', { mode: 'off' }],
    ['mode: off\nproject: { separation: solo }', { mode: 'off', separation: 'solo' }],
    ['project: { checks: [a], verification: { wait: 5 } }', { verification: { checks: ['a'], wait: 5 } }],
    ['task: { checks: [a] }', { verification: { checks: ['a'] } }],
    ['verification_defaults: { wait: 5 }', { verification: { wait: 5 } }],
    ['project: { verification_defaults: { wait: 5 }, checks: [a] }', { verification: { wait: 5, checks: ['a'] } }],
    ['tier2_enabled: false', { verification: { verifier: { tier: 1 } } }],
    ['tier2_enabled: true', { verification: { verifier: { tier: 2 } } }],
    ['verification: { tier3_enabled: true }', { verification: { verifier: { tier: 3 } } }],
    ['tier2_enabled: true\ntier3_enabled: true', { verification: { verifier: { tier: 3 } } }],
    ['tier2_enabled: true\ntier3_enabled: false', { verification: { verifier: { tier: 2 } } }],
    ['tier2_enabled: false\ntier3_enabled: false', { verification: { verifier: { tier: 1 } } }],
    ['verification: { verifier: { tier3_vote_count: 5 } }', { verification: { verifier: { votes: 5 } } }],
    ['verification: { verifier: { max_iterations: 5 } }', { verification: { retry: { max_attempts: 5 } } }],
    ['vision_verify: false', { security: { vision: { enabled: false } } }],
    ['security: { vision_verify: { kind: noop } }', { security: { vision: { kind: 'noop' } } }],
    ['semantic_drift_enabled: false', { security: { semantic_drift: { enabled: false } } }],
    ['middleware: { agent: [] }', { middleware: { verifier: [] } }],
  ])('%s', (text, layer) => {
    expect(readPolicy(text, 'p.yml')).toMatchObject({ ok: true, layer })
  })
})

describe('an alias beside its proper spelling is an error that names both', () => {
  test.each([
    ['project: { mode: off }\nmode: off', '`project.mode` and `mode`'],
    [
      'verification_defaults: { wait: 5 }\nverification: { no_checks: warn }',
      '`verification_defaults` and `verification`',
    ],
    [
      'project: { verification_defaults: {}, verification: {} }',
      '`project.verification_defaults` and `project.verification`',
    ],
    ['project: { checks: [a], verification: { checks: [b] } }', '`project.checks` and `project.verification.checks`'],
    ['tier2_enabled: false\ntier3_enabled: true', '`tier2_enabled` and `tier3_enabled`'],
    [
      'tier3_enabled: true\nverification: { verifier: { tier: 3 } }',
      '`tier3_enabled` and `verification.verifier.tier`',
    ],
    [
      'verification: { verifier: { max_iterations: 5 }, retry: { max_attempts: 3 } }',
      '`verification.verifier.max_iterations` and `verification.retry.max_attempts`',
    ],
    ['vision_verify: false\nsecurity: { vision: { enabled: false } }', '`vision_verify` and `security.vision.enabled`'],
    ['middleware: { agent: [], verifier: [] }', '`middleware.agent` and `middleware.verifier`'],
  ])('%s', (text, names) => {
    const reading = readPolicy(text, 'p.yml')
    expect(reading).toMatchObject({
      ok: false,
      problems: [{ message: `${names} mean the same key. Keep one of the two.` }],
    })
  })
})

describe('a problem in an aliased place points to what was written', () => {
  test.each([
    ['project:\n  mode: enforc', '2:9', 'project.mode', 'enforce'],
    ['project:\n  checks:\n    - comand: a', '3:7', 'project.checks[0].comand', 'command'],
    ['verification_defaults:\n  retri: {}', '2:3', 'verification_defaults.retri', 'retry'],
    ['tier2_enabled: maybe', '1:16', 'tier2_enabled', null],
    ['tier3_vote_count: 2', '1:19', 'tier3_vote_count', null],
    ['vision_verify: x', '1:16', 'vision_verify', null],
    ['project: [a]', '1:10', 'project', null],
  ])('%j', (text, place, key, nearest) => {
    const reading = readPolicy(text, 'p.yml')
    const problems = reading.ok ? [] : reading.problems
    expect(problems.map((one) => [`${one.line}:${one.column}`, one.key, one.nearest])).toEqual([[place, key, nearest]])
  })
})

test('`checks` at the top is no alias: only within a wrapper', () => {
  const reading = readPolicy('checks: [a]', 'p.yml')
  expect(reading).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining('`verification.checks`') }],
  })
})
