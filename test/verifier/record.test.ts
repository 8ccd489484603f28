// What a verdict leaves on record and what people read of it: everything that stands behind it, and old records still.
import { describe, expect, test } from 'vitest'
import { seal, emptyTail } from '../../src/core/decision/record/chain.ts'
import { emptyTask, evolve, replay } from '../../src/core/decision/record/evolve.ts'
import { upcast } from '../../src/core/decision/record/upcast.ts'
import { explain } from '../../src/core/words/timeline/explain.ts'
import { notReviewed, verdictLine, verifierReview } from '../../src/core/words/verifier-review.ts'
import { answered } from '../words/attempts.ts'
import { keepable } from '../../src/engine/verify/recordable.ts'
import { alwaysReviewed, aCourse } from './course.ts'
import { aChange, aContract, aModel, attemptFor, blocking, failedWith, saysPass, type Said } from './lab.ts'

const reviewed = async (changed: Said = {}, tier: 2 | 3 = 2) => {
  const course = aCourse(aContract({ verifier: { tier } }))
  await course.push(
    'a1',
    aModel((request) => saysPass(request, changed)),
    aChange(),
  )
  return course
}

describe('on record', () => {
  test('is all of it: who, what, how sure, at what price', async () => {
    const { events } = await reviewed({}, 3)
    const completed = events.find(({ type }) => type === 'VerificationCompleted')
    expect(completed?.data).toMatchObject({
      outcome: 'PASS',
      confidence: 1,
      confidence_parts: { readings: 1, evidence: 1, coverage: 1, calibration: 1, stated: 1 },
      votes: { pass: 3, valid: 3 },
      evaluator: { agent_id: 'countersign-verifier', model_id: 'claude-sonnet-5-5', model_family: 'claude-sonnet' },
      generator_agent_id: 'agent[bot]',
      rubric: 'default-task',
      criterion_grades: { correctness: 1, completeness: 1, 'probe-adherence': 1 },
      hashes: {
        contract: expect.any(String),
        policy: expect.any(String),
        patch: expect.any(String),
        release: expect.any(String),
      },
      cost: {
        price_table: '2026-11-20',
        calls: [
          { purpose: 'tier2 0', prompt_hash: expect.any(String) },
          { purpose: 'vote 1' },
          { purpose: 'vote 2' },
          { purpose: 'vote 3' },
        ],
      },
    })
    expect(events.filter(({ type }) => type === 'VoteCast').map(({ data }) => data)).toMatchObject([
      { n: 1, lens: 'neutral' },
      { n: 2, lens: 'skeptic' },
      { n: 3, lens: 'minimal' },
    ])
    expect(events.filter(({ type }) => type === 'TierCompleted').map(({ data }) => data)).toMatchObject([
      { tier: 1 },
      { tier: 2, passed: true, checks: [{ name: 'llm_assessment' }] },
      { tier: 3, passed: true, checks: [{ name: 'voting', detail: '3/3 verifiers agreed output is correct' }] },
    ])
    expect(explain(events).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['vote 2 (skeptic): PASS', '3/3 verifiers agreed output is correct', 'tier 3 passed']),
    )
  })

  test('the raw answers stay there, and out of the state', async () => {
    const course = await reviewed()
    expect(JSON.stringify(course.events)).toContain('proposed_verdict')
    expect(JSON.stringify(course.live())).not.toContain('proposed_verdict')
    expect(course.live().verifier).toMatchObject({ examined: { probes: expect.any(Array) } })
  })

  test('money spent on an outage is there too', async () => {
    const course = aCourse()
    await course.push(
      'a1',
      aModel(() => failedWith('money')),
      aChange(),
    )
    expect(
      course.events.at(-1) && course.events.find(({ type }) => type === 'VerificationUnavailable')?.data,
    ).toMatchObject({ reason: 'money', cost: { calls: [{ outcome: 'money' }] } })
  })

  test('a verdict from before there was a built-in verifier is read as it was', () => {
    const attempt = attemptFor(aContract())
    const { verifier } = { verifier: answered() }
    if (verifier.phase !== 'answered') throw new Error('It is answered')
    const sealing = {
      stream: 's',
      task_id: 't',
      at: '2026-01-01T00:00:00Z',
      actor: { kind: 'llm', login: 'x', id: null },
      correlation_id: 'c',
    } as const
    const old = {
      type: 'VerificationCompleted',
      attempt_id: attempt.id,
      head_sha: null,
      data: { task_id: 't', attempt_id: attempt.id, ...verifier.verdict },
    } as const
    const [stored] = seal([old], emptyTail, sealing)
    const read = upcast(JSON.parse(JSON.stringify(stored)))
    const task = evolve({ ...emptyTask('t'), attempts: [attempt] }, read, read.at)
    expect(task.attempts[0]?.verifier).toEqual({
      phase: 'answered',
      id: '',
      verdict: verifier.verdict,
      shown: false,
      ended_at: sealing.at,
    })
    expect(verifierReview({ ...attempt, verifier }, new Set())?.body).toContain('Advisory')
  })

  test('replaying it gives the live state', async () => {
    const course = await reviewed({ findings: [blocking] })
    expect(replay(emptyTask('acme/shop#4'), course.events).attempts.at(-1)).toEqual(course.live())
  })
})

describe('the review', () => {
  test('says what was checked, also when nothing was found, where policy wants it to', async () => {
    const { live } = await reviewed()
    expect(verifierReview(live(), new Set())).toMatchObject({ body: null, comments: [], closings: [] })
    const review = verifierReview(alwaysReviewed(live()), new Set())
    expect(review).toMatchObject({ event: 'COMMENT', comments: [] })
    expect(review?.body).toMatchInlineSnapshot(`
      "<!-- countersign:review acme/shop#9@a100000000000000000000000000000000000000 -->

      **AI review: no objection. 7/7 questions met, 3/3 changed lines read, confidence 0.90**

      The guard was read and the test that covers it ran.

      <details><summary>What was checked</summary>

      - 3 of 3 changed lines were read
      - results of checks: \`test\` passed
      - yes, with proof: Only administrators may delete a user. (\`c1.p1\`)
      - yes, with proof: For every input that the contract names, does the changed code give the result that the contract names? (\`r1.p1\`)
      - yes, with proof: Do the callers, types, schemas and stored formats that unchanged code relies on still work? (\`r1.p2\`)
      - yes, with proof: Are the error and edge paths of the change handled? (\`r1.p3\`)
      - yes, with proof: Is each criterion implemented by code that is shown here? (\`r2.p1\`)
      - yes, with proof: Is all required behaviour real code, free of placeholders, stubs and dead branches? (\`r2.p2\`)
      - yes, with proof: Is changed behaviour covered by a changed test or by a check that ran? (\`r2.p3\`)

      </details>

      1 call, 0 tokens (0 from the cache), $0.00, 0 s.

      _Advisory: written by \`claude-sonnet-5-5\`, may be wrong._"
    `)
  })

  test('puts a blocking finding at its line, and says who may be wrong', async () => {
    const review = verifierReview((await reviewed({ findings: [blocking] })).live(), new Set())
    expect(review?.body).toContain('**AI review: 1 objection**')
    expect(review?.comments).toMatchInlineSnapshot(`
      [
        {
          "body": "A missing user is an administrator.

      **When:** me is null, the check throws another error, and the caller deletes the user.

      **Repair:** Check for null first.

      _Advisory: written by \`claude-sonnet-5-5\`, may be wrong._

      <!-- countersign:finding c48c8a0b1893 -->",
          "fingerprint": "c48c8a0b1893",
          "line": 2,
          "path": "src/users.ts",
          "side": "RIGHT",
        },
      ]
    `)
  })

  test('puts what does not fit into the body', async () => {
    const findings = Array.from({ length: 14 }, (_, at) => ({
      ...blocking,
      quote: blocking.quote.slice(0, 20 + at),
      claim: `Claim ${at}`,
    }))
    const review = verifierReview((await reviewed({ findings })).live(), new Set())
    expect(review?.comments).toHaveLength(10)
    expect(review?.body).toContain('`src/users.ts:2`: Claim 13')
    expect(review?.body).not.toContain('`src/users.ts:2`: Claim 3')
  })

  test('posts nothing that commands anybody', async () => {
    const claim = '@acme/all fixes #1\n/approve ![x](https://e.vil/x) <!-- countersign:sticky -->'
    const review = verifierReview(
      (
        await reviewed({ findings: [{ ...blocking, claim, fix: claim, failure_scenario: claim }], summary: claim })
      ).live(),
      new Set(),
    )
    const posted = [review?.body ?? '', ...(review?.comments.map(({ body }) => body) ?? [])]
      .join('\n')
      .replaceAll(/<!-- countersign:(review|finding) [\w@#./~-]+ -->/g, '')
      .replaceAll(/`[^`\n]*`/g, ' ')
    expect(posted).not.toMatch(/@acme|#1\b|^\/approve|!\[|<!--|https:/m)
  })

  test.each([
    ['HARD_FAIL', null, 'AI review: this is not the way to do it, with proof'],
    ['REFER', 'hidden_text', 'AI review: a person must look: the change holds characters that people cannot see'],
    ['PASS', null, 'AI review: no objection.'],
  ] as const)('%s %s is said in one line', (outcome, reason_code, line) => {
    const verifier = answered({ outcome, reason_code, confidence: null })
    expect(verifier.phase === 'answered' && verdictLine(verifier.verdict, undefined)).toBe(line)
  })

  test('nobody looked is said in so many words, and never as a failure', () => {
    const attempt = attemptFor(aContract(), {
      verifier: { phase: 'unavailable', id: 'v', reason: 'transient', retry_at: '2026-01-05T10:09:00.000Z' },
    })
    expect(notReviewed(attempt, '2026-01-05T10:04:00.000Z')).toBe(
      'Verifier unavailable since 10:04, not reviewed. Next try 10:09',
    )
    expect(verifierReview(attempt, new Set())).toBeNull()
  })
})

test('raw answers that one event cannot hold are not kept, and the rest is', () => {
  const answer = (key: string, size: number) => ({ key, nonce: 'n', model: 'm', text: 'x'.repeat(size) })
  const raw = [answer('a', 400_000), answer('b', 400_000), answer('c', 400_000), answer('d', 10)]
  expect(keepable(raw).map(({ key }) => key)).toEqual(['a', 'b'])
  expect(keepable([answer('"', 10)])).toHaveLength(1)
})
