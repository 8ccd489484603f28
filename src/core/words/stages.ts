// The stages of an attempt as a table: each with what came of it, and what nobody looked at.
import { gateNames } from '../decision/gate-report.ts'
import { changesRequestedBefore, rulesThatApply, type Facts } from '../decision/gate/facts.ts'
import { stagesNow, type StageNow } from '../decision/gate/stages.ts'
import type { Attempt, CheckRecord, GateName, GateRecord } from '../decision/model.ts'
import { spoken } from '../people/stage-people.ts'
import { harmlessLine } from './text/harmless.ts'
import { neutralLine } from './text/neutral.ts'
import { cell, codeSpan } from './text/untrusted.ts'

const CHECKS_MAX = 60
const PEOPLE_MAX = 20
const UNSEEN_MAX = 5

export function stageTable(facts: Facts): string {
  const { attempt, policy } = facts
  const rows = [
    ['Scope', scopeCell(attempt)],
    ['Built-in checks', tier1Cell(facts)],
    ['Checks', checksCell(attempt)],
    ['AI review', verifierCell(facts)],
    ['Review by people', reviewCell(facts)],
    ...gateNames.flatMap((gate) =>
      policy.security[gate].enabled
        ? [[gate === 'red_team' ? 'Red team' : 'Screenshots', gateCell(gate, attempt.gates[gate])]]
        : [],
    ),
    ...(policy.merge_requires === 'verified'
      ? [['Confirmation', neutralLine(attempt.confirmed_by?.by ?? 'missing')]]
      : []),
  ]
  const lines = rows.map((cells) => `| ${cells.map((one) => cell(one ?? '')).join(' | ')} |`)
  return ['| Stage | Result |', '|---|---|', ...lines].join('\n')
}

const gateWords = {
  PASS: 'nothing gave way',
  PASS_WITH_FINDINGS: 'lets it pass, with findings',
  BLOCK: 'blocks',
  REFER: 'could not judge',
  SKIP: 'does not apply',
} as const satisfies Record<GateRecord['verdict'], string>

function gateCell(gate: GateName, record: GateRecord | undefined): string {
  if (record === undefined) return 'waiting'
  const { verdict, summary } = record
  const why = summary === '' || (verdict === 'PASS' && gate === 'red_team') ? '' : `: ${neutralLine(summary)}`
  return `${verdict === 'PASS' && gate === 'vision' ? 'passes' : gateWords[verdict]}${why}`
}

function scopeCell({ files, scope_violations }: Attempt): string {
  if (files === null) return 'waiting'
  const count = `${files.length} changed file${files.length === 1 ? '' : 's'}`
  return scope_violations.length === 0 ? `${count}, all allowed` : `${count}, ${scope_violations.length} not allowed`
}

/** What was not looked at has not passed, so it stands beside what has. */
function tier1Cell({ tier1, attempt }: Facts): string {
  if (tier1.state === 'running') return 'waiting'
  const unseen = attempt.tier1?.unseen ?? []
  if (unseen.length === 0) return tier1.state
  const named = unseen.slice(0, UNSEEN_MAX).map((one) => neutralLine(one))
  const more = unseen.length > UNSEEN_MAX ? [`${unseen.length - UNSEEN_MAX} more`] : []
  return [`${tier1.state}, as far as it could look`, ...named, ...more].join('<br>')
}

function checksCell(attempt: Attempt): string {
  const applying = rulesThatApply(attempt)
  const left = attempt.contract.policy.verification.checks.length - applying.length
  const cells = applying.slice(0, CHECKS_MAX).map(({ name, required }) => {
    const result = checkWords(attempt.checks[name])
    return `${codeSpan(name)} ${result}${required ? '' : ' (advisory)'}`
  })
  if (applying.length > CHECKS_MAX) cells.push(`and ${applying.length - CHECKS_MAX} more`)
  if (left > 0) cells.push(`${left} left out by their paths`)
  return cells.length === 0 ? 'none defined' : cells.join('<br>')
}

function checkWords(record: CheckRecord | undefined): string {
  const states = {
    running: 'running',
    passed: 'passed',
    failed: `failed, exit code ${record?.result?.exit_code ?? 1}`,
    timed_out: 'timed out',
    missing: 'never reported',
    left_out: 'left out by its paths',
  } as const satisfies Record<CheckRecord['state'], string>
  return record === undefined ? 'waiting' : states[record.state]
}

function verifierCell({ attempt, verifierOn, verdict }: Facts): string {
  if (!verifierOn) return 'off'
  if (attempt.verifier.phase === 'unavailable') return `unavailable (${attempt.verifier.reason}): not reviewed`
  if (verdict === null) return attempt.verifier.phase === 'running' ? 'reading' : 'waiting'
  const { outcome, confidence } = verdict.verdict
  const words = {
    PASS: 'no objection',
    SOFT_FAIL: 'objects',
    HARD_FAIL: 'objects to the way it is done, with proof',
    REFER: 'asks a person to look',
  }
  const sure = confidence === null ? '' : `, confidence ${confidence}`
  return `${words[outcome]}${sure} (advisory)${asked(attempt)}`
}

/** A pass is no review, so what it stands on is said here; so is why nothing was asked. */
function asked({ verifier, contract }: Attempt): string {
  if (verifier.phase !== 'answered' || verifier.examined === undefined) return ''
  const { probes, coverage } = verifier.examined
  const { outcome, feedback } = verifier.verdict
  const isTold = contract.policy.verification.retry.include_verifier_feedback
  if (outcome === 'REFER' && probes.length === 0 && feedback !== null && isTold) return `<br>${harmlessLine(feedback)}`
  const applying = probes.filter(({ answer }) => answer !== 'not_applicable')
  const met = applying.filter(({ answer }) => answer === 'met').length
  return `<br>${met} of ${applying.length} questions met, ${coverage.shown} of ${coverage.changed} changed lines read`
}

/** What a verdict that passes remarks and asks; one that does not pass says it in its review. */
export function remarksOf({ verifier }: Attempt): string[] {
  if (verifier.phase !== 'answered' || verifier.verdict.outcome !== 'PASS') return []
  const { findings = [], remarks = [] } = verifier.examined ?? {}
  const questions = findings.filter(({ level }) => level === 'question')
  return [
    ...questions.map(
      ({ path, line, claim }) => `${codeSpan(`${path}:${line}`)} the AI review asks: ${harmlessLine(claim)}`,
    ),
    ...remarks.map((remark) => `the AI review remarks: ${harmlessLine(remark)}`),
  ]
}

function reviewCell({ approvals, task, attempt, rejection }: Facts): string {
  const blocked = changesRequestedBefore(task, attempt).map(({ by }) => `changes requested by ${neutralLine(by)}`)
  const stages = stagesNow(task, attempt, approvals)
  const ofStage = new Set(stages.flatMap(({ by }) => by.map(({ id }) => id)))
  const approved = approvals.filter(({ id }) => !ofStage.has(id)).map(({ by }) => `approved by ${neutralLine(by)}`)
  const sentBack = rejection !== null && 'stage' in rejection ? rejection.stage : undefined
  const ofStages = stages.map((one) => (one.name === sentBack ? `${codeSpan(one.name)} sent it back` : stageWords(one)))
  const all = [...ofStages, ...blocked, ...approved]
  const more = all.length > PEOPLE_MAX ? [`and ${all.length - PEOPLE_MAX} more`] : []
  return [...all.slice(0, PEOPLE_MAX), ...more].join('<br>') || 'no approval'
}

function stageWords({ name, state, by, missing }: StageNow): string {
  const names = missing.flat().map((one) => neutralLine(spoken(one)))
  const words = {
    filled: '',
    waiting: `waiting for ${names.join(', ') || 'an approval'}`,
    later: 'not its turn yet',
    unread: 'being read',
    trouble: 'nobody can tell whom to ask',
    left_out: 'does not apply',
  } as const satisfies Record<StageNow['state'], string>
  const approved = by.length === 0 ? [] : [`approved by ${by.map((one) => neutralLine(one.by)).join(', ')}`]
  return `${codeSpan(name)} ${[...approved, words[state]].filter((one) => one !== '').join('; ')}`
}
