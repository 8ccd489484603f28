// Whether an answer is about what it should be about: told by the words that it shares with the criteria, where a policy or a task
// asks for that, and without any say in the verdict.
import { describe, expect, test } from 'vitest'
import { similarity } from '../../src/core/similarity.ts'
import { aContract, aModel, attemptFor, probesIn, proof, saysPass, verdictOf } from './lab.ts'

describe('how near two texts are', () => {
  test.each<[string, string, string, number]>([
    ['the same', 'The page is blue.', 'the PAGE, is: blue', 1],
    ['nothing in common', 'The page is blue.', 'Sessions end after hours.', 0],
    ['as often is the same', 'page page blue blue', 'page blue', 1],
    ['one of two', 'page blue', 'page red', 0.5],
    ['short words say nothing', 'is of to at', 'is of to at', 0],
    ['nothing', '', 'page', 0],
    ['other alphabets', 'Кнопка синяя', 'синяя кнопка', 1],
  ])('%s', (_, one, other, near) => {
    expect(similarity(one, other)).toBeCloseTo(near, 10)
    expect(similarity(other, one)).toBeCloseTo(near, 10)
  })
})

type Asked = {
  readonly enabled?: boolean
  readonly named?: boolean
  readonly threshold?: number
  readonly task?: string[] | null
}

async function answered(said: string, { enabled = true, named = true, threshold, task = null }: Asked = {}) {
  const contract = aContract({
    body: '## Acceptance criteria\n- The price is a number.\n',
    policy: {
      security: { semantic_drift: { enabled, ...(threshold === undefined ? {} : { threshold }) } },
      middleware: { verifier: named ? ['semantic_drift'] : [] },
    },
  })
  const model = aModel((request) => {
    const probes = probesIn(request).map(({ id }) => ({ id, evidence: [proof], why: said, answer: 'met' }))
    return saysPass(request, { summary: said, probes })
  })
  const answer = await verdictOf({ attempt: attemptFor({ ...contract, middleware_override: task }), model })
  if (answer.type === 'report_unavailable') throw new Error(answer.reason)
  const { verdict, examined, happened = [] } = answer
  const remarks = examined?.remarks.filter((one) => one.includes('similarity')) ?? []
  return { outcome: verdict.outcome, remarks, warned: happened.filter(({ type }) => type === 'SemanticDriftWarning') }
}

describe('an answer', () => {
  const about = 'The price is a number everywhere.'
  const astray = 'Colours look fine to me.'

  test.each<[string, string, Asked, boolean]>([
    ['about something else', astray, {}, true],
    ['about the criteria', about, {}, false],
    ['about something else, where that is near enough', astray, { threshold: 0 }, false],
    ['about the criteria, where that is not near enough', about, { threshold: 1 }, true],
    ['where nobody asks', astray, { named: false }, false],
    ['where it is switched off', astray, { enabled: false, named: false, task: ['semantic_drift'] }, false],
    ['where the task asks', astray, { named: false, task: ['semantic_drift'] }, true],
    ['where the task wants none', astray, { task: [] }, false],
  ])('%s', async (_, said, asked, isTold) => {
    const { outcome, remarks, warned } = await answered(said, asked)
    expect(outcome).toBe('PASS')
    expect([remarks.length, warned.length]).toEqual(isTold ? [1, 1] : [0, 0])
  })

  test('is told with the numbers', async () => {
    expect(await answered(astray)).toMatchObject({
      remarks: ['its answer speaks little of the criteria (similarity 0, below 0.5); that moves no verdict'],
      warned: [{ type: 'SemanticDriftWarning', data: { similarity: 0, threshold: 0.5 } }],
    })
  })
})
