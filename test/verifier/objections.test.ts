// An objection from push to push: only evidence or a human closes it, everybody is told which, and silence closes nothing.
import { describe, expect, test } from 'vitest'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { verifierReview } from '../../src/core/words/verifier-review.ts'
import type { VerifierAnswer } from '../../src/ports.ts'
import { leftBy } from '../../src/verifier/weighing/ledger.ts'
import { aCourse, alwaysReviewed, before, elsewhere, ledgerOf, passing, told } from './course.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  blocking,
  guardLines,
  probesIn,
  promptText,
  proof,
  saysPass,
  type Said,
} from './lab.ts'
import type { Change } from '../../src/verifier/change/change.ts'

const objecting = () => aModel((request) => saysPass(request, { findings: [blocking] }))
const repaired = aChange([
  aFile('src/users.ts', [
    ' function remove(user) {',
    '-  drop(user)',
    '+  if (me === null || !me.admin) throw new Forbidden()',
    '+  drop(user)',
    ' }',
  ]),
])
const newProof = {
  path: 'src/users.ts',
  side: 'new',
  line: 2,
  quote: 'if (me === null || !me.admin) throw new Forbidden()',
}
const idOf = (answer: VerifierAnswer): string =>
  answer.type === 'report_verdict' ? (answer.examined?.ledger[0]?.id ?? '') : ''
const provenBy = (proof: unknown) =>
  aModel((request): Said => {
    const pass = saysPass(request)
    const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
    return { ...pass, probes: probes.map((one: Said) => ({ ...one, evidence: [proof] })) }
  })

describe('an objection', () => {
  test('survives a push that does not touch it, whatever is said of it', async () => {
    const course = aCourse()
    expect(told(await course.push('a1', objecting(), before))).toBe('SOFT_FAIL')
    const second = await course.push('a2', passing(), elsewhere)
    expect(told(second)).toBe('SOFT_FAIL')
    expect(ledgerOf(second)).toEqual(['finding open a1 to a2'])
  })

  test('is fixed when what it quotes is gone', async () => {
    const course = aCourse()
    await course.push('a1', objecting(), before)
    const second = await course.push('a2', provenBy(newProof), repaired)
    expect(told(second)).toBe('PASS')
    expect(ledgerOf(second)).toEqual(['finding fixed a1 to a2'])
    const review = verifierReview(
      course.live(),
      new Set(second.type === 'report_verdict' ? second.examined?.ledger.map(({ id }) => id) : []),
    )
    expect(review?.closings.map(({ words }) => words)).toEqual(['Fixed as of a200000.'])
  })

  test('is fixed when the repair is shown, and not when it is only claimed', async () => {
    const answerTo = (evidence: readonly unknown[]) =>
      aModel((request) => {
        const id = /"id":"([0-9a-f]{12})"/.exec(promptText(request))?.[1]
        return saysPass(request, { open_items: [{ id, evidence, why: 'repaired', status: 'fixed' }] })
      })
    const course = aCourse()
    await course.push('a1', objecting(), before)
    expect(told(await course.push('a2', answerTo([]), elsewhere))).toBe('SOFT_FAIL')
    const shown = { path: 'src/users.ts', side: 'new', line: 6, quote: 'export const other = 2' }
    const third = aChange([aFile('src/users.ts', [...guardLines, '+export const other = 2'])])
    expect(told(await course.push('a3', answerTo([shown]), third))).toBe('PASS')
  })

  describe('is closed by nothing that leaves its lines as they are', () => {
    const open = ['SOFT_FAIL', ['finding open a1 to a2']]
    const saysFixed = (proof: unknown) =>
      aModel((request): Said => {
        const id = /"id":"([0-9a-f]{12})"/.exec(promptText(request))?.[1]
        const probes = probesIn(request).map((one) => ({ id: one.id, evidence: [proof], why: '', answer: 'met' }))
        return saysPass(request, { probes, open_items: [{ id, evidence: [proof], why: 'repaired', status: 'fixed' }] })
      })
    const guardOf = (text: string) => [...guardLines.slice(0, 2), text, ...guardLines.slice(3)]
    const at = (quote: string, path = 'src/users.ts', line = 2) => ({ path, side: 'new', line, quote })
    const [doubled, existing] = ['if ((!me.isAdmin)) throw new Forbidden()', 'function remove(user) {']
    // prettier-ignore
    test.each<[string, Change, unknown]>([
      ['parentheses', aChange([aFile('src/users.ts', guardOf(`+  ${doubled}`))]), at(doubled)],
      ['a new name of the file', aChange([aFile('src/people.ts', guardLines, { status: 'added' })]), at(proof.quote, 'src/people.ts')],
      ['a line that was there before', before, at(existing, 'src/users.ts', 1)],
      ['its own line', before, at(proof.quote)],
      ['a comment', aChange([aFile('src/users.ts', [...guardLines, '+// now me is checked for null'])]), at('// now me is checked for null', 'src/users.ts', 5)],
      ['code of another file', aChange([aFile('src/users.ts', guardLines), aFile('src/new.ts', ['+export const checked = true'])]), at('export const checked = true', 'src/new.ts', 1)],
    ])('%s', async (_title, change, shown) => {
      const course = aCourse()
      await course.push('a1', objecting(), before)
      const second = await course.push('a2', saysFixed(shown), change)
      expect([told(second), ledgerOf(second)]).toEqual(open)
    })
  })

  test('leaves an entry also where it names no line, and stands until a repair is shown', async () => {
    const advising = () =>
      aModel((request) =>
        saysPass(request, {
          proposed_verdict: 'SOFT_FAIL',
          feedback: [{ about: 'change', instruction: 'Tell the caller.' }],
        }),
      )
    const course = aCourse()
    expect(told(await course.push('a1', advising(), before))).toBe('SOFT_FAIL')
    const second = await course.push('a2', passing(), elsewhere)
    expect([told(second), ledgerOf(second)]).toEqual(['SOFT_FAIL', ['finding open a1 to a2']])
  })

  test('to a question of the rubric counts like any other, where a quote proves it', async () => {
    const unmet = aModel((request): Said => {
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      return {
        ...pass,
        probes: probes.map((one: Said) => (one['id'] === 'r2.p2' ? { ...one, answer: 'not_met' } : one)),
      }
    })
    const course = aCourse()
    const first = await course.push('a1', unmet, before)
    expect([told(first), ledgerOf(first)]).toEqual(['SOFT_FAIL', ['probe open a1 to a1']])
    expect(told(await course.push('a2', passing(), elsewhere))).toBe('SOFT_FAIL')
  })

  test('that a human overruled is not raised again on the same quote', async () => {
    const course = aCourse()
    await course.push('a1', objecting(), before)
    course.override('me is never null here')
    const second = await course.push('a2', objecting(), elsewhere)
    expect(told(second)).toBe('PASS')
    expect(second).toMatchObject({ examined: { dropped: { declined: 1 } } })
    expect(ledgerOf(second)).toEqual(['finding overridden a1 to a2'])
    const review = verifierReview(alwaysReviewed(course.live()), new Set([idOf(second)]))
    expect(review?.closings.map(({ words }) => words)).toEqual([
      'Overruled by a person; it is not raised again on these lines.',
    ])
    expect(review?.body).toContain('### Overruled by a person\n- `src/users.ts:2`: A missing user is an administrator.')
    const third = await course.push('a3', objecting(), before)
    expect([told(third), ledgerOf(third)]).toEqual(['PASS', []])
  })

  test('is open again when the override that closed it is taken back', async () => {
    const course = aCourse()
    await course.push('a1', objecting(), before)
    course.override('me is never null here')
    await course.push('a2', passing(), elsewhere)
    await course.push('a3', passing(), before)
    const task = replay(emptyTask('acme/shop#4'), course.events)
    const statuses = (standing: 'voided' | 'revoked') => {
      const attempts = task.attempts.map((one) => ({ ...one, acts: one.acts.map((act) => ({ ...act, standing })) }))
      const { open, overruled, declined } = leftBy({ ...task, attempts }, course.live())
      return [open.map(({ status }) => status), overruled.length, declined.size]
    }
    expect(statuses('voided')).toEqual([[], 0, 1])
    expect(statuses('revoked')).toEqual([['open'], 0, 0])
  })

  test('stands whatever the record says, and the record is told beside it', async () => {
    const claims = () =>
      aModel((request) => saysPass(request, { findings: [{ ...blocking, claim: 'The tests fail with this guard.' }] }))
    const course = aCourse()
    expect(told(await course.push('a1', claims(), before, 'failed'))).toBe('SOFT_FAIL')
    const second = await course.push('a2', claims(), elsewhere)
    expect([told(second), ledgerOf(second)]).toEqual(['SOFT_FAIL', ['finding open a1 to a2']])
    expect(verifierReview(course.live(), new Set())?.body).toContain('every check on record passed')
    expect(ledgerOf(await course.push('a3', passing(), elsewhere))).toEqual(['finding open a1 to a3'])
  })

  test('to a question that is no longer asked is withdrawn, and a yes to another question does not fix it', async () => {
    const unmet = () =>
      aModel((request): Said => {
        const pass = saysPass(request)
        const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
        return {
          ...pass,
          probes: probes.map((one: Said) => (one['id'] === 'c1.p1' ? { ...one, answer: 'not_met' } : one)),
        }
      })
    const course = aCourse()
    expect(ledgerOf(await course.push('a1', unmet(), before))).toEqual(['probe open a1 to a1'])
    expect(ledgerOf(await course.push('a2', unmet(), elsewhere))).toEqual(['probe open a1 to a2'])
    const moved = aContract({ body: '## Acceptance criteria\n- Only owners may delete a user.\n' })
    const third = await course.push('a3', passing(), before, 'passed', moved)
    expect([told(third), ledgerOf(third)]).toEqual(['PASS', ['probe withdrawn a1 to a3']])
    expect(verifierReview(alwaysReviewed(course.live()), new Set())?.body).toContain('(this is no longer asked)')
  })

  test('to a question that is answered with no again after an override is open again', async () => {
    const unmet = aModel((request): Said => {
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      const no = { answer: 'not_met' }
      return { ...pass, probes: probes.map((one: Said) => (one['id'] === 'c1.p1' ? { ...one, ...no } : one)) }
    })
    const course = aCourse()
    await course.push('a1', unmet, before)
    course.override('not this time')
    expect(ledgerOf(await course.push('a2', unmet, elsewhere))).toEqual(['probe open a2 to a2'])
    expect(ledgerOf(await course.push('a3', passing(), repaired))).toContain('probe open a2 to a3')
  })

  test('keeps its thread: it is said once, and then only counted', async () => {
    const course = aCourse()
    const first = await course.push('a1', objecting(), before)
    const review = verifierReview(course.live(), new Set())
    expect(review?.comments.map(({ path, line, side }) => [path, line, side])).toEqual([['src/users.ts', 2, 'RIGHT']])
    const ids = new Set(first.type === 'report_verdict' ? first.verdict.objections : [])
    await course.push('a2', objecting(), elsewhere)
    const again = verifierReview(course.live(), ids)
    expect(again?.comments).toEqual([])
    expect(again?.body).toContain('(said before)')
  })
})
