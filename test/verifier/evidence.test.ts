// A quote counts where it is, and what a model says without one counts for less or for nothing.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { silence, type Answer } from '../../src/verifier/weighing/answer.ts'
import { findEvidence, type Presented } from '../../src/verifier/weighing/evidence.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import type { AtomicProbe } from '../../src/verifier/asking/probes.ts'
import { weigh } from '../../src/verifier/weighing/weigh.ts'
import { aFile, blocking, guardLines, proof } from './lab.ts'

const presented: Presented = {
  files: [presentedFile(aFile('src/users.ts', [...guardLines, ' ', '+}']), redactor([]))],
  checks: [{ name: 'test', state: 'failed', exit_code: 1, text: 'AssertionError: expected 3 to be 4' }],
}

describe('a quote', () => {
  const at = (line: number, quote: string, side: 'old' | 'new' = 'new', path = 'src/users.ts') =>
    findEvidence({ path, side, line, quote }, presented)
  const guard = 'if (!me.isAdmin) throw new Forbidden()'
  test.each([
    ['at its line', () => at(2, guard), 'verified'],
    ['three lines off', () => at(5, guard), 'verified'],
    ['four lines off', () => at(6, guard), 'out_of_range'],
    ['with its gutter', () => at(2, '2 +│   if (!me.isAdmin) throw new Forbidden()'), 'verified'],
    ['with other white space', () => at(2, 'if  (!me.isAdmin)\tthrow new Forbidden()'), 'verified'],
    ['a part of a line', () => at(2, 'throw new Forbidden'), 'verified'],
    [
      'of several lines',
      () => at(1, 'function remove(user) {\nif (!me.isAdmin) throw new Forbidden()\ndrop(user)'),
      'verified',
    ],
    ['of lines that do not follow each other', () => at(1, 'function remove(user) {\n}'), 'absent'],
    ['of a removed line', () => at(2, 'drop(user)', 'old'), 'verified'],
    ['of an added line on the old side', () => at(2, guard, 'old'), 'wrong_side'],
    ['of another file', () => at(2, guard, 'new', 'src/other.ts'), 'no_path'],
    ['that is not there', () => at(2, 'if (true) return everything'), 'absent'],
    ['that is too short', () => at(2, 'new'), 'too_short'],
    ['of a lone brace', () => at(4, '}'), 'too_short'],
    ['of signs that hold others together', () => at(4, '} else {'), 'too_short'],
    ['of nothing', () => at(2, '  '), 'too_short'],
    ['of a check', () => at(0, 'expected 3 to be 4', 'new', 'check:test'), 'verified'],
    ['of a check that says something else', () => at(0, 'expected 3 to be 3', 'new', 'check:test'), 'absent'],
    ['of lines with a blank one between them', () => at(3, 'drop(user)\n}'), 'verified'],
    ['of a check, too short', () => at(0, 'be 4', 'new', 'check:test'), 'too_short'],
    ['of a removed line on the new side, far from its line', () => at(40, 'drop(user)', 'new'), 'out_of_range'],
    [
      'of more lines than a quote may have',
      () => at(1, Array.from({ length: 41 }, () => 'drop(user)').join('\n')),
      'absent',
    ],
    ['of a check that did not run', () => at(0, 'expected 3 to be 4', 'new', 'check:lint'), 'no_path'],
  ])('%s', (_title, found, expected) => {
    expect(found().outcome).toBe(expected)
  })

  test('that stands at several places is found at the nearest', () => {
    const lines = Array.from({ length: 9 }, (_, index) =>
      index % 4 === 0 ? '+drop(user)' : `+const other${index} = 1`,
    )
    const shown = presentedFile(aFile('src/a.ts', lines), redactor([]))
    const of = (line: number) =>
      findEvidence({ path: 'src/a.ts', side: 'new', line, quote: 'drop(user)' }, { files: [shown], checks: [] }).line
    expect([1, 4, 6, 8, 12].map(of)).toEqual([1, 5, 5, 9, 9])
  })

  test('may leave out blank lines, and no others', () => {
    const lines = ['+const first = 1', '+', '+', '+const second = 2', '+', '+const third = 3']
    const shown = presentedFile(aFile('src/a.ts', lines), redactor([]))
    const of = (quote: string) =>
      findEvidence({ path: 'src/a.ts', side: 'new', line: 1, quote }, { files: [shown], checks: [] }).outcome
    expect(of('const first = 1\nconst second = 2\n\nconst third = 3')).toBe('verified')
    expect(of('const first = 1\nconst third = 3')).toBe('absent')
  })

  test('needs eight characters that are not blank', () => {
    expect(at(0, 'd 3 to be 4', 'new', 'check:test').outcome).toBe('too_short')
    expect(at(0, 'ed 3 to be 4', 'new', 'check:test').outcome).toBe('verified')
    expect(at(2, 'isAdmin').outcome).toBe('too_short')
    expect(at(2, '.isAdmin').outcome).toBe('verified')
  })

  test('may have ten lines and 400 characters', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `const value${index} = ${'9'.repeat(index)}`)
    const wide = `const wide = '${'x'.repeat(385)}'`
    const shown = presentedFile(
      aFile(
        'src/long.ts',
        [...lines, wide, `${wide};`].map((line) => `+${line}`),
      ),
      redactor([]),
    )
    const of = (line: number, quote: string) =>
      findEvidence({ path: 'src/long.ts', side: 'new', line, quote }, { files: [shown], checks: [] }).outcome
    expect(of(1, lines.slice(0, 10).join('\n'))).toBe('verified')
    expect(of(1, lines.slice(0, 11).join('\n'))).toBe('absent')
    expect(wide).toHaveLength(400)
    expect(of(13, wide)).toBe('verified')
    expect(of(14, `${wide};`)).toBe('absent')
  })

  test.each([
    ['a part of the code', ['+  draw(it, user)'], 'draw(it, user', true],
    ['all the code of a line, and its comment', ['+  draw(it, user) // for everyone'], 'draw(it, user) // for', true],
    ['all the code of a short line, and its comment', ['+  go() // of everyone'], 'go() // of everyone', true],
    ['all the code of a short line, and the next', ['+go()', '+// of everyone'], 'go()\n// of everyone', true],
    ['a short part of the code, and the next line', ['+go()', '+// of everyone'], 'o()\n// of everyone', false],
    ['a comment', ['+  draw(it) // throws for everyone'], 'throws for everyone', false],
  ])('of %s: whether it can carry a yes', (_title, lines, quote, proves) => {
    const shown = presentedFile(aFile('src/a.ts', lines), redactor([]))
    expect(findEvidence({ path: 'src/a.ts', side: 'new', line: 1, quote }, { files: [shown], checks: [] })).toEqual({
      outcome: 'verified',
      line: 1,
      proves,
    })
  })

  test('on record is anchored where its line stands now', () => {
    expect(findEvidence({ ...proof, side: 'new', line: 900 }, presented, 'anywhere')).toEqual({
      outcome: 'verified',
      line: 2,
      proves: true,
    })
  })
})

const probe = (given: Partial<AtomicProbe>): AtomicProbe => ({
  id: 'c1.p1',
  text: '',
  criterion: 'c1',
  source: 'issue',
  polarity: 'presence',
  conditional: false,
  ...given,
})
const rules = { whole: true, reach: 'near', declined: new Set<string>() } as const
const good = { ...proof, side: 'new' } as const
const bad = { ...good, quote: 'nothing of the kind' }
const printed = { path: 'check:test', side: 'new', line: 1, quote: '12 tests passed' } as const
const passing: Presented = {
  ...presented,
  checks: [{ name: 'test', state: 'passed', exit_code: 0, text: '12 tests passed in 3 files' }],
}
const ofCheck = { path: 'check:test', side: 'new', line: 1, quote: 'AssertionError' } as const

describe('an answer to a question', () => {
  type Said = Answer['probes'][number]
  const graded = (given: Partial<AtomicProbe>, said: Partial<Said>, whole = true, where = presented) => {
    const one: Said = { id: 'c1.p1', evidence: [], why: '', answer: 'met', ...said }
    const [grade] = weigh([{ answer: { ...silence, probes: [one] }, presented: where }], {
      ...rules,
      whole,
      probes: [probe(given)],
    }).probes
    return `${grade?.answer}${grade?.proven === true ? ', proven' : ''}`
  }
  test.each([
    ['yes with proof', graded({}, { evidence: [bad, good] }), 'met, proven'],
    ['yes without', graded({}, {}), 'cannot_tell'],
    ['yes with a wrong quote', graded({}, { evidence: [bad] }), 'cannot_tell'],
    ['a bare yes to an absence', graded({ polarity: 'absence' }, {}), 'cannot_tell'],
    ['yes to an absence, and where it looked', graded({ polarity: 'absence' }, { evidence: [good] }), 'met, proven'],
    ['yes by what a check printed alone', graded({}, { evidence: [printed] }, true, passing), 'cannot_tell'],
    ['yes by a check, and by code', graded({}, { evidence: [printed, good] }, true, passing), 'met, proven'],
    [
      'yes to an absence where not all was read',
      graded({ polarity: 'absence' }, { evidence: [good] }, false),
      'cannot_tell',
    ],
    ['no to an absence without proof', graded({ polarity: 'absence' }, { answer: 'not_met' }), 'cannot_tell'],
    ['no to a presence without proof', graded({}, { answer: 'not_met' }), 'not_met'],
    ['no with proof', graded({ polarity: 'absence' }, { answer: 'not_met', evidence: [good] }), 'not_met, proven'],
    ['yes by a check that failed', graded({}, { evidence: [good, ofCheck] }), 'not_met, proven'],
    ['does not apply', graded({}, { answer: 'not_applicable' }), 'cannot_tell'],
    ['does not apply, with a condition', graded({ conditional: true }, { answer: 'not_applicable' }), 'not_applicable'],
    ['does not apply, in the rubric', graded({ source: 'rubric' }, { answer: 'not_applicable' }), 'not_applicable'],
    ['about another question', graded({}, { id: 'c2.p1', evidence: [good] }), 'cannot_tell'],
  ])('%s', (_title, grade, expected) => {
    expect(grade).toBe(expected)
  })

  test('twice is the worse one', () => {
    const twice: Answer['probes'] = [
      { id: 'c1.p1', evidence: [good], why: '', answer: 'met' },
      { id: 'c1.p1', evidence: [], why: '', answer: 'not_met' },
    ]
    expect(
      weigh([{ answer: { ...silence, probes: twice }, presented }], { ...rules, probes: [probe({})] }).probes[0]
        ?.answer,
    ).toBe('not_met')
  })

  test.each([
    ['presence', ['not_met', 'met'], 'not_met'],
    ['presence', ['met', 'not_met'], 'not_met'],
    ['presence', ['cannot_tell', 'met'], 'met'],
    ['presence', ['not_met', 'not_met'], 'not_met'],
    ['absence', ['met', 'not_met'], 'not_met'],
    ['absence', ['met', 'cannot_tell'], 'cannot_tell'],
    ['absence', ['met', 'met'], 'met'],
  ] as const)('over pieces, %s: %s', (polarity, answers, whole) => {
    const readings = answers.map((answer) => ({
      answer: { ...silence, probes: [{ id: 'c1.p1', evidence: [good], why: '', answer }] },
      presented,
    }))
    expect(weigh(readings, { ...rules, probes: [probe({ polarity })] }).probes[0]?.answer).toBe(whole)
  })
})

describe('a finding', () => {
  type Finding = Answer['findings'][number]
  const plain: Finding = { ...blocking, side: 'new', category: 'correctness', level: 'blocking' }
  const passedChecks: Presented = { ...presented, checks: [{ name: 'test', state: 'passed', exit_code: 0, text: '' }] }
  const weighed = (given: Partial<Finding>, where = presented, declined = new Set<string>()) => {
    const { findings, dropped } = weigh(
      [{ answer: { ...silence, findings: [{ ...plain, ...given }] }, presented: where }],
      { ...rules, declined, probes: [] },
    )
    return [
      findings.map(({ level, proven }) => `${level}${proven ? ', proven' : ''}`).join(),
      Object.keys(dropped).join(),
    ]
  }
  test.each([
    ['with proof and a scenario', weighed({}), ['blocking, proven', '']],
    ['without a quote that is there', weighed({ quote: 'eval(input)' }), ['question', 'absent']],
    ['without a scenario', weighed({ failure_scenario: '' }), ['question, proven', '']],
    ['that is a question', weighed({ level: 'question', quote: 'eval(input)' }), ['question', 'absent']],
    ['that tests fail, which passed', weighed({ claim: 'The tests fail.' }, passedChecks), ['blocking, proven', '']],
    ['that tests fail, which did', weighed({ claim: 'The tests fail.' }), ['blocking, proven', '']],
    ['that something is left to do', weighed({ claim: ['A TO', 'DO is left.'].join('') }), ['blocking, proven', '']],
    [
      'whose words are those of a list',
      weighed({ claim: 'The null check does not pass.' }, passedChecks),
      ['blocking, proven', ''],
    ],
  ])('%s', (_title, found, expected) => {
    expect(found).toEqual(expected)
  })
})
