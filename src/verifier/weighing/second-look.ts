// Objections whose quote is nowhere: asked for once more, and never forgotten for it. A second answer can give the quote; it
// cannot take the objection back by leaving it out.
import type { Answer } from './answer.ts'
import { findEvidence, type Reach } from './evidence.ts'
import type { Reading } from './weigh.ts'

type Finding = Answer['findings'][number]

const isFound = (one: Finding, { presented }: Reading, reach: Reach): boolean =>
  findEvidence(one, presented, reach).outcome === 'verified'
const claims = ({ level }: Finding): boolean => level === 'blocking'

/** What to tell whoever wrote it, in words for a second try. */
export function unfoundIn(reading: Reading, reach: Reach): string[] {
  const { answer, presented } = reading
  const findings = answer.findings.filter((one) => claims(one) && !isFound(one, reading, reach))
  const noes = answer.probes.filter(
    ({ answer: said, evidence }) =>
      said === 'not_met' &&
      evidence.length > 0 &&
      evidence.every((one) => findEvidence(one, presented, reach).outcome !== 'verified'),
  )
  const again =
    'is not there; copy the lines exactly as they are shown, with their path, side and number, or leave it out'
  return [
    ...findings.map(
      ({ path, line, quote, claim }) => `${path}:${line}: ${claim}: the quote ${JSON.stringify(quote)} ${again}`,
    ),
    ...noes.map(({ id }) => `question ${id}, answered with not_met: its quote ${again}`),
  ]
}

/** The first answer, with what a second one proves: it names the lines that the first one meant, or others. */
export function withQuotes(first: Reading, second: Reading): Reading {
  const shown = second.answer.findings.filter((one) => claims(one) && isFound(one, second, 'near'))
  const kept = first.answer.findings.filter(
    (one) => !claims(one) || isFound(one, first, 'near') || !shown.some((other) => isSame(one, other)),
  )
  const noes = second.answer.probes.filter(
    ({ answer, evidence }) =>
      answer === 'not_met' && evidence.some((one) => findEvidence(one, second.presented).outcome === 'verified'),
  )
  // Of two answers to a question the worse counts.
  const probes = [...first.answer.probes, ...noes]
  return { ...first, answer: { ...first.answer, findings: [...shown, ...kept], probes } }
}

/** A second answer by somebody who was shown more. What the first one proved stands, whatever the second one says. */
export function withMore(first: Reading, second: Reading): Reading {
  const proven = first.answer.findings.filter((one) => claims(one) && isFound(one, first, 'anywhere'))
  const noes = first.answer.probes.filter(
    ({ answer, evidence }) =>
      answer === 'not_met' &&
      evidence.some((one) => findEvidence(one, first.presented, 'anywhere').outcome === 'verified'),
  )
  const { findings, probes, suspicious_text } = second.answer
  return {
    ...second,
    answer: {
      ...second.answer,
      findings: [...findings, ...proven],
      probes: [...probes, ...noes],
      suspicious_text: [...suspicious_text, ...first.answer.suspicious_text],
    },
  }
}

const isSame = (one: Finding, other: Finding): boolean => one.path === other.path && one.category === other.category
