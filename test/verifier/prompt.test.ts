// What the model is shown of an attempt besides the change: what ran, and how earlier attempts ended.
import { describe, expect, test } from 'vitest'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { layout, promptHash } from '../../src/verifier/asking/prompt.ts'
import { decompositionFormat } from '../../src/verifier/asking/probes.ts'
import { promptRelease, releaseOf } from '../../src/verifier/asking/release.ts'
import { findingLenses, lenses, roleChunks } from '../../src/verifier/asking/role.ts'
import { defaultTask, frontendDesign } from '../../src/verifier/asking/rubrics.ts'
import { answerSchema } from '../../src/verifier/weighing/answer.ts'
import { findingsSchema } from '../../src/verifier/weighing/found.ts'
import { refutationSchema } from '../../src/verifier/weighing/refuted.ts'
import { checks } from '../words/attempts.ts'
import { aCourse, before, elsewhere, passing } from './course.ts'
import { aContract, aModel, attemptFor, blocking, promptText, saysPass, verdictOf } from './lab.ts'
import { founds, refutes } from './first-readings.ts'

async function promptOf(given: Parameters<typeof attemptFor>[1]): Promise<string> {
  const model = passing()
  await verdictOf({ model, attempt: attemptFor(aContract(), given) })
  return model.requests.map(promptText).join('\n')
}

/** The lines of a part, down to the next heading. */
const part = (prompt: string, heading: string): string[] => {
  const [, rest = ''] = prompt.split(`# ${heading}\n`)
  return (rest.split('\n# ')[0] ?? '').split('\n')
}

test('every result is there, with what it printed, in the order of the names', async () => {
  const prompt = await promptOf({
    checks: checks(['unit', 'passed', '12 tests passed in 3 files'], ['lint', 'failed', 'src/users.ts: no semicolon']),
  })
  const results = part(prompt, 'Results of checks')
  expect(results.filter((line) => line.startsWith('"'))).toEqual([
    '"lint": failed, exit code 1',
    '"unit": passed, exit code 0',
  ])
  expect(results.findIndex((line) => line.includes('no semicolon'))).toBeLessThan(
    results.findIndex((line) => line.includes('12 tests passed')),
  )
})

test('where nothing ran, that is said', async () => {
  expect(part(await promptOf({ checks: {} }), 'Results of checks')).toEqual(['none ran'])
})

test('a check that printed nothing has its outcome alone', async () => {
  expect(part(await promptOf({ checks: checks(['unit', 'passed', '']) }), 'Results of checks')).toEqual([
    '"unit": passed, exit code 0',
  ])
})

test('of long output the two ends are there', async () => {
  const results = part(
    await promptOf({ checks: checks(['unit', 'failed', `begin${'.'.repeat(4_000)}end`]) }),
    'Results of checks',
  ).join('\n')
  expect(results).toMatch(/begin\.{1095}\n\[\.\.\. 1808 characters left out \.\.\.\]\n\.{1097}end/)
})

test('of many outputs the first ones are there, and the outcome of all', async () => {
  const many = Array.from({ length: 8 }, (_, index) => [`c${index}`, 'passed', `${index}`.repeat(2_200)] as const)
  const results = part(await promptOf({ checks: checks(...many) }), 'Results of checks').join('\n')
  expect(results.match(/^"c\d": passed/gm)).toHaveLength(8)
  expect(['0', '1', '2', '3', '4', '5', '6', '7'].filter((digit) => results.includes(digit.repeat(2_200)))).toEqual([
    '0',
    '1',
    '2',
    '3',
  ])
})

test('how earlier attempts ended is there, in names and numbers', async () => {
  const course = aCourse()
  await course.push(
    'a1',
    aModel((request) => saysPass(request, { findings: [blocking] })),
    before,
    'failed',
  )
  const objection = course.live().verifier
  const [id = ''] = objection.phase === 'answered' ? objection.verdict.objections : []
  expect(id).toMatch(/^\w+/)
  const model = passing()
  await course.push('a2', model, elsewhere)
  expect(part(model.requests.map(promptText).join('\n'), 'Earlier attempts')).toEqual([
    `attempt 1; failed checks: test; objections: ${id}`,
  ])
})

test('a first attempt has none before it', async () => {
  expect(await promptOf({})).not.toContain('# Earlier attempts')
})

test('each vote is asked in an order of its own, which is the same every time', async () => {
  const order = async (): Promise<string[]> => {
    const model = passing()
    await verdictOf({ model, attempt: attemptFor(aContract({ verifier: { tier: 3, votes: 5 } })) })
    return model.requests.flatMap(
      (request) => /Answer the questions in this order: (.*)/.exec(promptText(request))?.[1] ?? [],
    )
  }
  const orders = await order()
  expect(await order()).toEqual(orders)
  expect(new Set(orders).size).toBeGreaterThan(1)
  expect(new Set(orders.map((one) => one.split(' ').toSorted().join(' '))).size).toBe(1)
})

test('what was wrong with an answer is said when it is asked for once more', async () => {
  const model = aModel((request, nth) => saysPass(request, nth === 1 ? { nonce: 'guessed' } : {}))
  await verdictOf({ model })
  const [first = '', second = ''] = model.requests.map(promptText)
  expect(first).not.toContain('# Remarks')
  expect(part(second, 'Remarks')).toContain('The nonce is another.')
})

test('the hash of a prompt has a part for each of its blocks', async () => {
  const model = passing()
  await verdictOf({ model })
  const [request] = model.requests
  if (request === undefined) throw new Error('nobody was asked')
  expect(promptHash(request)).toMatch(/^[0-9a-f]{12}(\.[0-9a-f]{12}){4}\+schema$/)
  expect(promptHash({ ...request, format: null })).toBe(promptHash(request).replace('+schema', ''))
})

test('an answer is good for the release that got it: each word of ours belongs to that', () => {
  const sources = [
    roleChunks,
    lenses,
    findingLenses,
    layout,
    answerSchema,
    findingsSchema,
    refutationSchema,
    decompositionFormat,
  ]
  expect(promptRelease).toMatch(/^[0-9a-f]{12}$/)
  const text = JSON.stringify(sources)
  for (const word of [
    'You turn acceptance criteria',
    'VERDICT: PASS',
    '# Open items',
    '# Control',
    'Look for holes',
    'proposed_verdict',
    'severity',
    'refuted',
  ]) {
    expect(text).toContain(word)
    expect(releaseOf([JSON.parse(text)])).not.toBe(releaseOf([JSON.parse(text.replace(word, 'x'))]))
  }
})

test('nothing of ours stands in a question that the release does not know', async () => {
  const prompt = await promptOf({ checks: {} })
  const headings = prompt.match(/^# [A-Z][a-z ]+$/gm) ?? []
  const known = [...Object.values(roleChunks), ...Object.values(layout).map(String)].join('\n')
  expect(headings.filter((one) => !known.includes(one))).toEqual([])
})

describe('the words as they are sent', () => {
  test.each(['find', 'refute', 'judge'] as const)('to %s', async (wanted) => {
    const model = aModel((request) => {
      if (promptSeen(request).step === 'refute') return refutes(request, 'stands')
      return promptSeen(request).step === 'find' ? founds(request, {}) : saysPass(request)
    })
    await verdictOf({ model, attempt: attemptFor(aContract({ verifier: { finders: 1 } })) })
    const request = model.requests.find((one) => promptSeen(one).step === wanted)
    if (request === undefined) throw new Error('nobody was asked')
    await expect(`${promptText(request)}\n`).toMatchFileSnapshot(`fixtures/prompt-to-${wanted}.txt`)
  })
})

describe('what is asked can be answered', () => {
  const schema = JSON.stringify(answerSchema)
  const rubrics = [defaultTask, frontendDesign]

  test('there is a proposal for each verdict that an example shows, that it cannot be told among them', async () => {
    expect(schema).toContain('"enum":["PASS","SOFT_FAIL","HARD_FAIL","REFER"]')
    const shown = part(await promptOf({}), 'Examples').filter((line) => /^ {2}\w/.test(line))
    expect(shown.length).toBeGreaterThan(3)
    for (const line of shown) expect(line).toMatch(/^ {2}proposed_verdict (?:PASS|SOFT_FAIL|HARD_FAIL|REFER): /)
  })

  test('no weight and no grade is shown, since none is asked for', async () => {
    const prompt = await promptOf({})
    expect(part(prompt, 'Rubric default-task').join('\n')).not.toMatch(/0\.\d|score|ternary|binary/)
    expect(part(prompt, 'Examples').join('\n')).not.toMatch(/[{}]|0\.5/)
  })

  test('findings come before the questions, in what is told and in what is answered', () => {
    for (const text of [schema, roleChunks['role-evaluator'] ?? '']) {
      const [found, asked] = [/"findings"|# Findings/.exec(text)?.index, /"probes"|# The questions/.exec(text)?.index]
      expect(found).toBeLessThan(asked ?? 0)
    }
  })

  test('no question has a no in it, so that yes and no mean what they say', () => {
    const texts = rubrics.flatMap(({ criteria }) => criteria.flatMap(({ probes }) => probes.map(({ text }) => text)))
    expect(texts.length).toBeGreaterThan(12)
    expect(texts.filter((text) => /\b(?:no|not|never|none|nothing|without)\b/i.test(text))).toEqual([])
  })

  test('each word of an answer that the instructions name is one of its schema', () => {
    const named = (roleChunks['role-evaluator'] ?? '').match(/\b[a-z]+_[a-z]+\b/g) ?? []
    expect(new Set(named).size).toBeGreaterThan(8)
    expect([...new Set(named)].filter((word) => !schema.includes(`"${word}"`))).toEqual([])
  })
})
