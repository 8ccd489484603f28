// The red team: once everything else lets a change pass, a fresh reader attacks it, and each thing that it finds is given to
// another one who is to refute it. What stands blocks by what it weighs. Nobody to ask is no reason to stop a change unless
// the policy says so, and it is said; what the change itself can bring about always goes to a person.
import { surfaces as allSurfaces } from '../../core/contract/surfaces.ts'
import { attackOn } from '../../core/decision/gate/attacked.ts'
import { gravestFirst, weighed } from '../../core/decision/gate-report.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import { gateSummary } from '../../core/words/gate-review.ts'
import { attackRequest } from '../../verifier/attack/request.ts'
import { followed } from '../../verifier/attack/earlier.ts'
import { findingsOf, type AttackReading } from '../../verifier/attack/found.ts'
import { readAttack } from '../../verifier/attack/answer.ts'
import { criteriaOfContract, identityProbes } from '../../verifier/asking/probes.ts'
import type { Brief } from '../../verifier/asking/prompt.ts'
import { promptRelease } from '../../verifier/asking/release.ts'
import { rubricOf } from '../../verifier/asking/rubric.ts'
import { finderModelOf } from '../../verifier/calls/money.ts'
import { isSame } from '../../verifier/weighing/found.ts'
import type { VoteContext } from '../../verifier/weighing/context.ts'
import { isMentioned } from '../../verifier/weighing/testimony.ts'
import { unreadWords } from '../../verifier/weighing/verdict.ts'
import type { Asking } from './asking/asking.ts'
import type { Subject } from './conclusion.ts'
import { asked, refute } from './find.ts'
import type { Failure } from './failure.ts'
import { noKey, nothingFound, told, unanswered, type Answer, type Report } from './gate-answer.ts'
import type { Reading } from './reading.ts'
import { subjectOf, type Given } from './subject.ts'
import { surrounded } from './surroundings.ts'
import { presentedOf, type Poll } from './voting.ts'

export const redTeamAgent = 'countersign-red-team'

/** The model that attacks. */
export const attackerOf = ({ security, verification }: Given['attempt']['contract']['policy']): string =>
  security.red_team.model ?? verification.verifier.model

export async function attack(given: Given, asking: Asking | null, reading: Reading): Promise<Answer> {
  const { policy } = given.attempt.contract
  const { on_missing_deliverable = 'block' } = policy.security.red_team
  const { applies, why } = attackOn(given.attempt)
  if (!applies) return { verdict: 'SKIP', summary: why }
  if (given.change.files.length === 0)
    return { verdict: on_missing_deliverable === 'block' ? 'BLOCK' : 'SKIP', summary: 'nothing has changed' }
  const { verifier } = policy.verification
  const models = [attackerOf(policy), finderModelOf(verifier)]
  const stood: Report = { ...nothingFound, findings: gravestFirst(given.past.attacks.standing) }
  const read = await subjectOf(given, { asking, models, gate: 'red_team' }, reading)
  if (read.failure !== null || asking === null)
    return unanswered(given, asking, 'red_team', read.failure ?? noKey, stood)
  const subject = await surrounded(read.subject)
  const { coverage } = subject.packed
  const unread: Failure | null =
    coverage.cause === null ? null : { kind: 'refer', reason: coverage.cause, detail: unreadWords(coverage) }
  if (unread !== null && coverage.shown === 0) return unanswered(given, asking, 'red_team', unread, stood)
  const { outcome, attacked } = await attacks(subject, asking)
  if (outcome !== null) return unanswered(given, asking, 'red_team', outcome, attacked)
  const verdict = weighed(attacked.findings, policy.security.autonomy)
  // What is proven needs nothing more; what was not read may hold anything.
  if (verdict !== 'BLOCK' && unread !== null) return unanswered(given, asking, 'red_team', unread, attacked)
  return { verdict, summary: gateSummary(attacked.findings), ...told(given, asking, attacked) }
}

async function attacks(
  subject: Subject,
  asking: Asking,
): Promise<{ readonly outcome: Failure | null; readonly attacked: Report }> {
  const { attempt, past, packed } = subject
  const { policy, contract_hash } = attempt.contract
  const model = attackerOf(policy)
  const surfaces = policy.security.red_team.surfaces ?? allSurfaces
  const poll = pollOf(subject, asking)
  const presented = packed.chunks.map((chunk) => presentedOf(poll.brief, chunk))
  const files = presented.flatMap((one) => one.files)
  const before = followed(past.attacks.standing, files, [...packed.coverage.unseen, ...packed.coverage.excused])
  const coverage = { shown: packed.coverage.shown, changed: packed.coverage.changed }
  const readings: AttackReading[] = []
  const raw: RawAnswer[] = []
  let reused = true
  const stood = gravestFirst(before.claims)
  const soFar = (): Report => ({ ...nothingFound, findings: stood, coverage, raw, repaired: before.repaired })
  const { declined } = past.attacks
  const foundIn = (read: readonly AttackReading[]) => {
    const found = findingsOf(read, { surfaces, sha: attempt.head_sha, contract: contract_hash, declined })
    const fresh = found.findings.filter((one) => !before.claims.some((other) => isSame(other, one)))
    return { found, claims: gravestFirst([...before.claims, ...fresh]) }
  }
  for (const chunk of packed.chunks) {
    const answer = await asked(poll, chunk, {
      as: { purpose: 'attack', n: 0, lens: surfaces.join(' '), model },
      request: (terms) => attackRequest(poll.brief, chunk, { ...terms, model, surfaces, known: before.claims }),
      read: readAttack,
    })
    if (answer.kind !== 'read') {
      const findings = answer.kind === 'refer' ? foundIn(readings).claims : stood
      return { outcome: answer, attacked: { ...soFar(), findings } }
    }
    reused &&= answer.reused
    raw.push(answer.raw)
    const reach = answer.reused ? 'anywhere' : 'near'
    readings.push({ ...answer.value, presented: presentedOf(poll.brief, chunk), reach })
  }
  const { claims, found } = foundIn(readings)
  const tried = await refute(
    poll,
    { claims, dropped: found.dropped, remarks: [] },
    finderModelOf(policy.verification.verifier),
  )
  const all = [...raw, ...tried.raw]
  // What an outage kept from being tried counts for nothing yet; what stood before stands.
  const untried = tried.kind === 'unavailable' && tried.of_request === undefined ? stood : claims
  if (tried.kind !== 'read') return { outcome: tried, attacked: { ...soFar(), findings: untried, raw: all } }
  const fallen = before.claims.filter(({ id }) => !tried.claims.some((one) => one.id === id))
  const attacked: Report = {
    findings: tried.claims,
    repaired: [...before.repaired, ...fallen.map(({ id }) => id)],
    dropped: tried.dropped,
    remarks: [
      ...subject.remarks,
      ...readings.flatMap(({ summary }) => (summary.trim() === '' ? [] : [summary.trim()])),
    ],
    raw: all,
    reused: reused && tried.reused,
    coverage,
  }
  // Whoever obeys what speaks to its reviewer has attacked nothing.
  const addressed = subject.change.hits.filter(({ kind }) => kind === 'addressed')
  const isSilent = !isMentioned(addressed, readings)
  return { outcome: isSilent ? { kind: 'refer', reason: 'addressed', detail: null } : null, attacked }
}

function pollOf(subject: Subject, asking: Asking): Poll {
  const { attempt, packed, past, redact, keyed } = subject
  const { contract } = attempt
  const rubric = rubricOf(contract.policy)
  const probes = identityProbes(criteriaOfContract(contract, false))
  const brief: Brief = { attempt, probes, rubric, packed, earlier: past.earlier, redact, keyed, ttl: '5m' }
  const context: VoteContext = {
    contract_hash: contract.contract_hash,
    sha: attempt.head_sha,
    kind: 'red_team',
    release: promptRelease,
    rubric,
    probes,
    coverage: packed.coverage,
    items: [],
    claims: [],
    declined: past.attacks.declined,
    hiddenText: subject.hiddenText,
    secret: subject.secret,
    addressed: [],
  }
  return { asking, brief, context, known: past.known, seek: async () => null }
}
