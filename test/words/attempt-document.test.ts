// The document of an attempt: it keeps to its published schema in every state, says what is true of each, stays in its place
// whatever others wrote, and never outgrows a comment.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import type { Attempt } from '../../src/core/decision/model.ts'
import type { Decision } from '../../src/core/decision/decision.ts'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import { attemptFold, attemptJson, DOCUMENT_BYTES_MAX } from '../../src/core/words/documents/attempt-json.ts'
import { attemptSchema, attemptSchemaText } from '../../src/core/words/documents/attempt-schema.ts'
import { bytesOf } from '../../src/core/words/text/fit.ts'
import { redact } from '../../src/core/words/text/redact.ts'
import { stickyText } from '../../src/core/words/report.ts'
import { anAttempt, answered, aTask, checks, diffOf, lines, policyOf, rejection, unavailable } from './attempts.ts'

const schemaFile = new URL('../../src/core/contract/attempt.schema.json', import.meta.url)
const committed = readFileSync(schemaFile, 'utf8')
const isValid = new Ajv({ strict: false }).compile(JSON.parse(committed))

test('the committed schema is fresh', () => {
  expect(committed === attemptSchemaText(), 'the schema has changed: run `npm run schema`').toBe(true)
})

const policy = policyOf({
  verification: { checks: [{ name: 'test', command: 'npm test' }], verifier: { enabled: true } },
})
const passed = { passed: true, id: 't', checks: [], findings: [], feedback: null }
const ready = { tier1: passed, checks: checks(['test', 'passed']), verifier: answered({ outcome: 'PASS' }) }
const held = {
  contract: anAttempt({}, { ...policy, scope: { ...policy.scope, parallel: 'hold' } }).contract,
  ahead: { pulls: [{ pull: 12, paths: ['src/a.ts'], more: 0 }], gone: [] },
}
const concluded = (given: Partial<Attempt>) => {
  const judged = anAttempt({ decision: null, ...given }, policy)
  const attempt = { ...judged, decision: conclude(aTask(judged), judged) }
  const task = aTask(attempt)
  const text = attemptJson(task, attempt)
  return { task, attempt, decision: attempt.decision, text, document: attemptSchema.parse(JSON.parse(text)) }
}

describe('each state', () => {
  const states: readonly (readonly [Decision['status'], Partial<Attempt>, boolean, string | null])[] = [
    ['pending', { tier1: passed }, false, 'machine'],
    ['pending', { tier1: passed, obstacle: 'merge_conflict' }, true, 'builder'],
    ['pending', { tier1: passed, obstacle: 'awaiting_approval' }, false, 'people'],
    ['success', ready, false, 'nobody'],
    ['retry', { ...ready, checks: checks(['test', 'failed', 'no']) }, true, 'builder'],
    ['retry', { ...ready, verifier: answered({}) }, true, 'builder'],
    ['failed', { ...ready, verifier: answered({ outcome: 'HARD_FAIL' }) }, false, 'people'],
    ['failed', { ...ready, acts: [rejection('ada', 'no')] }, true, 'builder'],
    ['refer', { ...ready, verifier: answered({ outcome: 'REFER' }) }, false, 'people'],
    ['retry', { ...ready, verifier: unavailable }, false, 'people'],
    ['retry', { tier1: null, files: [] }, true, 'builder'],
    ['success', { ...ready, live: false, state: 'SUPERSEDED' }, false, 'nobody'],
    ['pending', { ...ready, ...held }, false, 'people'],
  ]
  test.each(states)('%s %o', (status, given, allowed, from) => {
    const { document } = concluded(given)
    expect(isValid(document)).toBe(true)
    expect(document).toMatchObject({ status, may_push: { allowed }, waiting_for: { from }, truncated: [] })
    expect(document.may_push.why).not.toBe('')
  })

  test('a failed check, whole', () => {
    const output = 'src/cart.ts(3,7): error TS2322: no string\n\u001b[31m1 failed\u001b[0m\n'
    const { document } = concluded({ ...ready, checks: checks(['test', 'failed', output]), ...diffOf('+ 1') })
    expect(document).toMatchObject({
      task: 'acme/shop#4',
      row: 'checks',
      attempt: { number: 1, max: 3, text: 'Attempt 1 of 3.' },
      next: 'counted',
      failed: ['check:test'],
      checks: [
        {
          state: 'failed',
          exit_code: 1,
          problems: [{ path: 'src/cart.ts', line: 3, level: 'error', message: 'TS2322: no string' }],
          output: 'src/cart.ts(3,7): error TS2322: no string\n1 failed',
        },
      ],
      change: '+ 1',
      budget: { attempts_left: 2, verifier_usd: { spent: 0, per_task: 5 } },
    })
    expect(document.unblock).toContainEqual({ who: 'The builder', words: 'push a fix' })
  })

  test('where the attempts are used up there is none left, and none is promised', () => {
    const failed = { ...ready, checks: checks(['test', 'failed', 'no']) }
    const all = [1, 2, 3].map((ordinal) => anAttempt({ ordinal, ...failed }, policy))
    const last = { ...all[2], ...anAttempt({ ordinal: 3, decision: null, ...failed }, policy) }
    const document = attemptSchema.parse(JSON.parse(attemptJson(aTask(...all.slice(0, 2), last), last)))
    expect(document).toMatchObject({
      status: 'failed',
      attempt: { number: 3, max: 3 },
      next: 'to_be_granted',
      may_push: { allowed: false },
      budget: { attempts_left: 0 },
    })
  })

  test('what the verifier says is kept from whoever tries again where the policy says so', () => {
    const kept = policyOf({
      verification: { verifier: { enabled: true }, retry: { include_verifier_feedback: false } },
    })
    const attempt = anAttempt({ decision: null, tier1: passed, verifier: answered({}) }, kept)
    expect(attemptJson(aTask(attempt), attempt)).not.toContain('voucher')
  })
})

describe('whatever others wrote', () => {
  const sly = fc
    .array(
      fc.constantFrom('```', '````json', '\n', '</details>', '<!--', '@ada', '\u202e', '\u200b', '👩‍💻', '"', '\\', 'https://a.b', ':x', '@', ` ghp_${'a1B2'.repeat(9)} `, '漢'), // prettier-ignore
      { maxLength: 24 },
    )
    .map((parts) => parts.join(''))

  test('it stays in its fence, and hiding secrets and signs once more changes nothing', () => {
    fc.assert(
      fc.property(sly, sly, sly, (one, two, three) => {
        const given = { ...ready, acts: [rejection('bob', redact(three))], checks: checks(['test', 'failed', one]) }
        const { task, attempt, decision, text, document } = concluded({
          ...given,
          verifier: answered({ feedback: two }),
        })
        const fold = attemptFold(task, attempt, decision)
        expect(fromMarkdown(fold).children.map(({ type }) => type)).toEqual(['html', 'code', 'html'])
        expect(fold).toContain(`json\n${text}\n`)
        expect(redact(text)).toBe(text)
        expect(text).not.toMatch(/ghp_a|[\u202e\u200b]/)
        expect(isValid(document)).toBe(true)
        expect(attemptJson(task, { ...attempt, checks: { ...attempt.checks } })).toBe(text)
      }),
      { numRuns: 30 },
    )
  })

  test('of everything there may be any amount', () => {
    const sign = '漢'
    const long = sign.repeat(2_500)
    const names = Array.from({ length: 12 }, (_, at) => [`${sign.repeat(90)}${at}`, 'failed', long] as const)
    const finding = { id: 'f', path: long, side: 'new', line: 1, quote: long, category: 'other', claim: long, failure_scenario: long, fix: long, level: 'blocking', proven: true } as const // prettier-ignore
    const many = <T>(one: T): T[] => Array.from({ length: 50 }, () => one)
    const verifier = answered({ feedback: long })
    const examined = { findings: many(finding), probes: [], cost: { usd: 0.1 }, reused: false }
    const { task, attempt, decision, text, document } = concluded({
      tier1: { ...passed, passed: false, checks: many({ name: long, passed: false, detail: long }), findings: many({ path: long, line: 1, severity: 'LOW', category: '', message: long }), unseen: many(long) }, // prettier-ignore
      checks: checks(...names),
      acts: many(rejection(long, long)),
      verifier: Object.assign(verifier, { examined }),
      ...diffOf(lines(700)),
    })
    expect(bytesOf(text)).toBeLessThanOrEqual(DOCUMENT_BYTES_MAX)
    expect(isValid(document)).toBe(true)
    expect(document.truncated).toEqual(expect.arrayContaining(['change', 'checks', 'people', 'tier1', 'verifier']))
    const sticky = stickyText(task, attempt, decision)
    expect(bytesOf(sticky)).toBeLessThanOrEqual(65_000)
    expect(sticky).toContain(text)
  })
})
