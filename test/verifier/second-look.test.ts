// An objection whose quote is nowhere: its quote is asked for once more, and it is never forgotten.
import { describe, expect, test } from 'vitest'
import { aCourse, before, callsOf, passing, told } from './course.ts'
import { aModel, blocking, failedWith, outcomeOf, promptText, saysPass, verdictOf, type Said } from './lab.ts'

const lost = { ...blocking, quote: 'if (me.isNobody) removeEverybody()' }
const first = (said: Said, then: Said) => aModel((request, nth) => saysPass(request, nth === 1 ? said : then))
const noTo = (quote: string) =>
  aModel((request, nth): Said => {
    const pass = saysPass(request)
    const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
    const evidence = [{ path: 'src/users.ts', side: 'new', line: 2, quote: nth === 1 ? quote : blocking.quote }]
    const no = { answer: 'not_met', evidence }
    return { ...pass, probes: probes.map((one: Said) => (one['id'] === 'r1.p2' ? { ...one, ...no } : one)) }
  })

describe('an objection whose quote is nowhere', () => {
  test.each([
    ['counts where the second answer quotes it', first({ findings: [lost] }, { findings: [blocking] }), 'SOFT_FAIL', 2],
    [
      'refers where nobody can quote it',
      first({ findings: [lost] }, { findings: [lost] }),
      'REFER insufficient_evidence',
      2,
    ],
    ['refers where the second answer leaves it out', first({ findings: [lost] }, {}), 'REFER insufficient_evidence', 2],
    ['is asked about once where it is there', first({ findings: [blocking] }, {}), 'SOFT_FAIL', 1],
    [
      'is asked about once where it blocks nothing',
      first({ findings: [{ ...lost, level: 'question' }] }, {}),
      'PASS',
      1,
    ],
    ['counts as a no to a question too', noTo('nothing of the kind'), 'SOFT_FAIL', 2],
  ])('%s', async (_title, model, expected, calls) => {
    expect([await outcomeOf({ model }), model.requests.length]).toEqual([expected, calls])
  })

  test('is told which quote, after the same prefix', async () => {
    const model = first({ findings: [lost] }, { findings: [blocking] })
    await verdictOf({ model })
    const [one = '', two = ''] = model.requests.map(promptText)
    expect(two).toContain('if (me.isNobody) removeEverybody()')
    expect(one).not.toContain('isNobody')
    expect(model.requests.map(({ system, content }) => JSON.stringify([system, content.slice(0, 2)]))).toEqual(
      Array.from({ length: 2 }, () =>
        JSON.stringify([model.requests[0]?.system, model.requests[0]?.content.slice(0, 2)]),
      ),
    )
  })

  test('is shown as a question, also where the second call finds nobody', async () => {
    const model = aModel((request, nth) => (nth === 1 ? saysPass(request, { findings: [lost] }) : failedWith('money')))
    expect(await verdictOf({ model })).toMatchObject({
      verdict: { outcome: 'REFER', reason_code: 'insufficient_evidence' },
      examined: {
        findings: [{ level: 'question', proven: false, claim: blocking.claim }],
        remarks: expect.arrayContaining([expect.stringContaining('what this claims to quote is not there')]),
      },
    })
  })

  test('costs nothing anew after a rebase', async () => {
    const course = aCourse()
    expect(told(await course.push('a1', first({ findings: [lost] }, { findings: [lost] }), before))).toMatch(/^REFER/)
    const second = await course.push('a2', passing(), before)
    expect([told(second), callsOf(second)]).toEqual(['REFER insufficient_evidence', 0])
  })
})
