// What the model is shown of an attempt besides the change: what ran, and how earlier attempts ended.
import { expect, test } from 'vitest'
import { layout, promptHash } from '../../src/verifier/asking/prompt.ts'
import { decompositionFormat } from '../../src/verifier/asking/probes.ts'
import { promptRelease, releaseOf } from '../../src/verifier/asking/release.ts'
import { lenses, roleChunks } from '../../src/verifier/asking/role.ts'
import { answerSchema } from '../../src/verifier/weighing/answer.ts'
import { checks } from '../words/attempts.ts'
import { aCourse, before, elsewhere, passing } from './course.ts'
import { aContract, aModel, attemptFor, blocking, promptText, saysPass, verdictOf } from './lab.ts'

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
  const sources = [roleChunks, lenses, layout, answerSchema, decompositionFormat]
  expect(promptRelease).toMatch(/^[0-9a-f]{12}$/)
  const text = JSON.stringify(sources)
  for (const word of ['You turn acceptance criteria', 'VERDICT: PASS', '# Open items', 'proposed_verdict']) {
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
