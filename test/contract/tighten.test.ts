// A task's block may ask for more than the policy, never for less; what it may not have is a warning that names the key.
import { describe, expect, test } from 'vitest'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { stricter } from '../../src/core/contract/task/tighten.ts'
import { contractOf } from './contract-of.ts'

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, key) => Object.entries(inner ?? {}).find(([name]) => name === key)?.[1], value)

/** `{ a: { b: value } }` of `a.b`, as JSON, which is YAML. */
const saying = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)

/** A key, a lenient value, a stricter one. */
const directions: [string, unknown, unknown][] = [
  ['verification.execution.isolation', 'shared', 'user'],
  ['verification.execution.isolation', 'user', 'job'],
  ['verification.no_checks', 'warn', 'require_human'],
  ['verification.wait', 60, 30],
  ['verification.timeout_retry.factor', 3, 2],
  ['verification.timeout_retry.max', 2, 1],
  ['verification.tier1.weakened_tests', 'finding', 'fail'],
  ['verification.tier1.secrets', 'warn', 'fail'],
  ['verification.verifier.enabled', false, 'auto'],
  ['verification.verifier.enabled', false, true],
  ['verification.verifier.enabled', 'auto', true],
  ['verification.verifier.tier', 1, 2],
  ['verification.verifier.tier', 2, 3],
  ['verification.verifier.votes', 3, 5],
  ['verification.verifier.min_confidence', 0.5, 0.6],
  ['verification.verifier.run_when_checks_fail', false, true],
  ['verification.verifier.require_different_model', 'off', 'warn'],
  ['verification.verifier.require_different_model', 'warn', 'enforce'],
  ['verification.verifier.hidden_text', 'finding', 'refer'],
  ['verification.verifier.grader_fallback', 'heuristic', 'none'],
  ['verification.retry.max_attempts', 3, 2],
  ['verification.retry.applies_to', 'agents', 'everyone'],
  ['verification.retry.stop_on_no_progress', 0, 5],
  ['verification.retry.stop_on_no_progress', 5, 2],
]

describe('which way is stricter', () => {
  test.each(directions)('%s: %j, then %j', (key, lenient, strict) => {
    const up = contractOf({
      policy: policySchema.parse(saying(key, lenient)),
      block: JSON.stringify(saying(key, strict)),
    })
    expect([at(up.contract.policy, key), up.keys]).toEqual([strict, []])
    const down = contractOf({
      policy: policySchema.parse(saying(key, strict)),
      block: JSON.stringify(saying(key, lenient)),
    })
    expect([at(down.contract.policy, key), down.keys]).toEqual([strict, [key]])
    const same = contractOf({
      policy: policySchema.parse(saying(key, strict)),
      block: JSON.stringify(saying(key, strict)),
    })
    expect([at(same.contract.policy, key), same.keys]).toEqual([strict, []])
  })

  test.each<[string, unknown]>([
    ['verification.verifier.model', 'cheap'],
    ['verification.verifier.rubric', 'frontend-design'],
    ['verification.verifier.kind', 'response_pattern'],
    ['verification.verifier.on_error', 'refer'],
    ['verification.verifier.hidden_text_allowed', ['**']],
    ['verification.tier1.ignore', ['**']],
    ['verification.tier1.allow_empty', ['**']],
    ['verification.execution.fail_fast', true],
    ['verification.retry.dispatch', 'mention'],
  ])('%s belongs to the policy alone', (key, value) => {
    for (const by of ['builder', 'other', 'trusted'] as const) {
      const { contract, keys } = contractOf({ block: JSON.stringify(saying(key, value)), by })
      expect(keys).toEqual([key])
      expect(contract.policy).toEqual(policySchema.parse({}))
    }
  })

  test('every key that a block may tighten is in this test', () => {
    const adding = Object.keys(stricter).filter((key) => stricter[key] === 'adds')
    const tested = [...adding, ...directions.map(([key]) => key)]
    expect(Object.keys(stricter).filter((key) => !tested.includes(key))).toEqual([])
  })

  test('the minimum of the rubric counts where the policy names none', () => {
    const key = 'verification.verifier.min_confidence'
    expect(contractOf({ block: JSON.stringify(saying(key, 0.5)) })).toMatchObject({ keys: [key] })
    expect(at(contractOf({ block: JSON.stringify(saying(key, 0.8)) }).contract.policy, key)).toBe(0.8)
  })
})

describe('who may loosen', () => {
  const loose: [string, unknown, unknown][] = [
    ['verification.retry.max_attempts', 3, 9],
    ['verification.verifier.enabled', true, false],
    ['verification.verifier.tier', 3, 1],
  ]
  test.each(loose)('a trusted block may set %s from %j to %j, with a warning', (key, strict, lenient) => {
    const policy = policySchema.parse(saying(key, strict))
    const block = JSON.stringify(saying(key, lenient))
    const trusted = contractOf({ policy, block, by: 'trusted' })
    expect([at(trusted.contract.policy, key), trusted.keys]).toEqual([lenient, [key]])
    for (const asking of [
      { by: 'builder' },
      { by: 'other' },
      { by: 'trusted', source: 'other_issue' },
      { by: 'builder', source: 'pull_request' },
    ] as const) {
      const refused = contractOf({ policy, block, ...asking })
      expect([at(refused.contract.policy, key), refused.keys]).toEqual([strict, [key]])
    }
  })

  test('a trusted block may not loosen anything else', () => {
    const { contract, keys } = contractOf({
      policy: { verification: { verifier: { votes: 5 } } },
      block: 'verification: { verifier: { votes: 3 } }',
      by: 'trusted',
    })
    expect([contract.policy.verification.verifier.votes, keys]).toEqual([5, ['verification.verifier.votes']])
  })

  test.each([
    ['high', 'builder', 'high', []],
    ['low', 'other', 'medium', ['stakes']],
    ['low', 'trusted', 'low', ['stakes']],
  ] as const)('stakes %s by %s become %s', (stakes, by, become, warned) => {
    const { contract, keys } = contractOf({ block: `stakes: ${stakes}`, by })
    expect([contract.stakes, keys]).toEqual([become, warned])
  })
})

describe('checks of a block', () => {
  const policy = {
    verification: {
      checks: [
        { name: 'test', command: 'npm test', timeout: 60 },
        { name: 'lint', command: 'l', required: false },
      ],
    },
  }
  test.each([
    ['a new one is added', '[docs]', 'docs', { command: 'docs', required: true }, []],
    ['one may become required', '[{ name: lint, required: true }]', 'lint', { required: true }, []],
    [
      'one stays required',
      '[{ name: test, required: false }]',
      'test',
      { required: true },
      ['verification.checks[test].required'],
    ],
    ['less time is stricter', '[{ name: test, timeout: 30 }]', 'test', { timeout: 30 }, []],
    [
      'more time is not',
      '[{ name: test, timeout: 10m }]',
      'test',
      { timeout: 60 },
      ['verification.checks[test].timeout'],
    ],
    [
      'a command stands',
      '[{ name: test, command: "true" }]',
      'test',
      { command: 'npm test' },
      ['verification.checks[test].command'],
    ],
    [
      'a source stands',
      '[{ name: test, check_run: ci }]',
      'test',
      { command: 'npm test' },
      ['verification.checks[test].check_run'],
    ],
    [
      'paths stand',
      '[{ name: test, paths: [docs] }]',
      'test',
      { command: 'npm test' },
      ['verification.checks[test].paths'],
    ],
    [
      'the environment stands',
      '[{ name: test, env: { CI: "0" } }]',
      'test',
      { command: 'npm test' },
      ['verification.checks[test].env'],
    ],
    ['saying the same again is fine', '[{ name: test, command: npm test }]', 'test', { timeout: 60 }, []],
    ['an empty list drops none', '[]', 'test', { required: true }, []],
  ])('%s', (_title, checks, name, expected, warned) => {
    const { contract, keys } = contractOf({ policy, block: `verification: { checks: ${checks} }`, by: 'trusted' })
    expect(contract.policy.verification.checks.find((check) => check.name === name)).toMatchObject(expected)
    expect(contract.policy.verification.checks.map((check) => check.name)).toEqual(
      expect.arrayContaining(['test', 'lint']),
    )
    expect(keys).toEqual(warned)
  })

  test('what an adopted check accepts may become less, not more', () => {
    const adopted = {
      verification: { checks: [{ check_run: 'ci', accept: ['success', 'neutral'] }] },
    } satisfies PolicyInput
    const accept = (list: string) =>
      contractOf({ policy: adopted, block: `verification: { checks: [{ name: ci, accept: [${list}] }] }` }).contract
        .policy.verification.checks[0]?.accept
    expect(accept('success')).toEqual(['success'])
    expect(accept('success, skipped')).toEqual(['success', 'neutral'])
  })
})
