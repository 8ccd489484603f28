// What an attacker says it found, as far as it counts: what it weighs, whether it blocks, and why it is none.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { findingsOf, type AttackReading } from '../../src/verifier/attack/found.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { aFile } from './lab.ts'

const lines = Array.from({ length: 30 }, (_, at) => `+openTheDoor(${at + 1})`)
const presented = { files: [presentedFile(aFile('src/a.ts', lines), redactor([]))], checks: [] }
type Said = AttackReading['findings'][number]
const said = (more: Partial<Said> = {}): Said => ({
  path: 'src/a.ts',
  side: 'new',
  line: 5,
  quote: 'openTheDoor(5)',
  surface: 'security',
  severity: 'HIGH',
  claim: 'Anybody can come in.',
  failure_scenario: 'Somebody comes.',
  fix: 'Close it.',
  confidence: 0.9,
  ...more,
})
const everything = ['security', 'grounding', 'correctness', 'requirements'] as const
const found = (
  all: readonly Said[],
  declined: readonly string[] = [],
  surfaces: readonly Said['surface'][] = everything,
) =>
  findingsOf([{ findings: all, suspicious_text: [], summary: '', presented, reach: 'near' }], {
    surfaces,
    sha: 'a1',
    contract: 'c',
    declined: new Set(declined),
  })
const weighed = (more: Partial<Said>) => {
  const { findings, dropped } = found([said(more)])
  return findings[0] === undefined ? Object.keys(dropped)[0] : [findings[0].severity, findings[0].level]
}
const lost = { quote: 'closeTheDoor(5)' }

describe('a finding', () => {
  test.each<[string, Partial<Said>, unknown]>([
    ['blocks where it is shown', {}, ['HIGH', 'blocking']],
    ['of middling weight blocks', { severity: 'MEDIUM' }, ['MEDIUM', 'blocking']],
    ['of little weight is a question', { severity: 'LOW' }, ['LOW', 'question']],
    ['that only informs is a question', { severity: 'INFO' }, ['INFO', 'question']],
    ['without a way in which it fails weighs little', { failure_scenario: ' ' }, ['LOW', 'question']],
    ['that only informs needs no such way', { failure_scenario: '', severity: 'INFO' }, ['INFO', 'question']],
    ['that cannot be quoted is none', lost, 'absent'],
    ['of little weight needs no quote', { ...lost, severity: 'LOW' }, ['LOW', 'question']],
    ['that only informs needs no quote', { ...lost, severity: 'INFO' }, ['INFO', 'question']],
    [
      'that something is missing weighs by how sure it is',
      { surface: 'grounding', confidence: 0.85 },
      ['HIGH', 'blocking'],
    ],
    ['a little less sure, less', { surface: 'grounding', confidence: 0.84 }, ['MEDIUM', 'blocking']],
    ['just sure enough to block', { surface: 'grounding', confidence: 0.65 }, ['MEDIUM', 'blocking']],
    ['not sure enough to block', { surface: 'grounding', confidence: 0.64 }, ['LOW', 'question']],
    ['just sure enough to be told', { surface: 'grounding', confidence: 0.45 }, ['LOW', 'question']],
    ['not sure at all', { surface: 'grounding', confidence: 0.44 }, 'unsure'],
    ['that something is missing, unproven', { ...lost, surface: 'grounding' }, ['LOW', 'question']],
    ['that something is missing, harmless', { failure_scenario: '', surface: 'grounding' }, ['LOW', 'question']],
  ])('%s', (_title, more, expected) => {
    expect(weighed(more)).toEqual(expected)
  })

  test('is told once, the gravest first, and not where a person has answered it', () => {
    const at = (line: number, severity: Said['severity']) => said({ line, quote: `openTheDoor(${line})`, severity })
    const all = [at(5, 'MEDIUM'), at(5, 'HIGH'), at(20, 'CRITICAL')]
    const { findings } = found(all)
    expect(findings.map(({ line, severity }) => [line, severity])).toEqual([
      [20, 'CRITICAL'],
      [5, 'MEDIUM'],
    ])
    expect(found(all, [findings[0]?.id ?? '']).findings.map(({ line }) => line)).toEqual([5])
  })

  test('carries what it was raised on, and of which commit', () => {
    expect(found([said({ surface: 'requirements' })]).findings).toMatchObject([
      { category: 'contract', first_sha: 'a1', proven: true, raised: { lines: ['openTheDoor(5)'], contract: 'c' } },
    ])
  })

  test('of a kind that nobody asked for is none', () => {
    expect(found([said()], [], ['correctness'])).toEqual({ findings: [], dropped: { not_asked: 1 } })
  })

  test('that is dropped is counted by why', () => {
    expect(found([said(lost), said(lost), said({ path: 'src/b.ts' })]).dropped).toEqual({ absent: 2, no_path: 1 })
  })
})
