// The usual way: several look for defects, each defect is tried alone, and then questions made from the contract are asked of
// a model that sees the change, what stood, and nothing of the making.
import { Ended, forth } from '../../core/chain.ts'
import type { RawAnswer } from '../../core/decision/examined.ts'
import type { VoteContext } from '../../verifier/weighing/context.ts'
import { gradeByWords, heuristicRemark } from '../../verifier/weighing/heuristic.ts'
import type { ModelRequest } from '../../verifier/calls/model.ts'
import { dollarsPlanned, finderModelOf } from '../../verifier/calls/money.ts'
import { controlFor } from '../../verifier/asking/control.ts'
import { findRequest, verdictRequest, type Brief } from '../../verifier/asking/prompt.ts'
import { promptRelease } from '../../verifier/asking/release.ts'
import { rubricOf } from '../../verifier/asking/rubric.ts'
import { askedAbout } from '../../verifier/weighing/ledger.ts'
import { answerKey } from '../../verifier/weighing/testimony.ts'
import { tell, unreadWords } from '../../verifier/weighing/verdict.ts'
import { barOf, concluded, referred, unasked, unavailable, type Result, type Subject } from './conclusion.ts'
import { questionsOf, type Questions } from './questions.ts'
import type { Asking } from './asking/asking.ts'
import { find, isOver, refute, type Claims, type Finder } from './find.ts'
import { ballotsOf, runStages, unanswered, type Plan, type Staged } from './stages.ts'
import { soughtFor, surrounded } from './surroundings.ts'
import { standingWithout, type Poll, type Unread } from './voting.ts'

const builderOnly = 'judged only by its author’s own criteria'

/** Null asks nobody: the heuristic grader's way. */
export async function examineByRubric(given: Subject, asking: Asking | null, tier: 2 | 3): Promise<Result> {
  const { attempt, past, redact, keyed, steps } = given
  const rubric = rubricOf(attempt.contract.policy)
  const asked = await questionsOf({ attempt, rubric, redact, keyed, known: past.known, steps }, asking)
  const soFar = { happened: asked.happened, raw: asked.raw }
  if (asked.failure !== null) return unasked(given, asked.failure, soFar)
  if (asking === null) return byWords(given, asked)
  const { coverage } = given.packed
  if (coverage.shown === 0 && coverage.cause !== null)
    return referred(given, coverage.cause, unreadWords(coverage), soFar)
  const subject = await surrounded(given)
  const poll = pollOf(subject, { asking, rubric, probes: asked.probes })
  const { verifier } = attempt.contract.policy.verification
  const plan: Plan = {
    tier,
    votes: verifier.votes,
    model: verifier.model,
    votesModels: verifier.votes_models,
    hits: subject.change.hits,
    session: subject.evaluator.session_id,
  }
  const finders = findersOf(verifier)
  const planned = requestsOf(poll, plan, finders)
  const usd = dollarsPlanned(planned, asking.budget.prices)
  const dispatch = { asking, questions: asked, tier, calls: planned.length, usd }
  const begun = await forth(steps.coordination, ({ beforeDispatch }) => beforeDispatch, dispatch)
  return begun instanceof Ended
    ? withoutJudge({ poll, plan, subject, questions: asked }, begun.as, { raw: asked.raw, found: nothingFound })
    : judged(subject, begun.questions, { poll, plan, finders })
}

type Panel = { readonly poll: Poll; readonly plan: Plan; readonly finders: readonly Finder[] }

/** What is found, what of it stands, and what is said of the questions with that at hand. */
async function judged(subject: Subject, questions: Questions, { poll, plan, finders }: Panel): Promise<Result> {
  const { raw } = questions
  const found = await find(poll, finders)
  const left = { poll, plan, subject, questions }
  if (found.kind !== 'read' && isOver(found)) return withoutJudge(left, found, { raw: [...raw, ...found.raw], found })
  const tried = await refute(poll, found, finderModelOf(subject.attempt.contract.policy.verification.verifier))
  const first = [...raw, ...found.raw, ...tried.raw]
  if (tried.kind !== 'read') return withoutJudge(left, tried, { raw: first, found: tried })
  if (found.kind !== 'read') return withoutJudge(left, found, { raw: first, found: tried })
  const context = { ...poll.context, claims: tried.claims }
  const answered = await runStages({ ...poll, context }, plan)
  const reused = found.reused && tried.reused && answered.reused
  const staged = { ...answered, raw: [...first, ...answered.raw], reused }
  const whole = { ...subject, packed: { ...subject.packed, chunks: answered.chunks } }
  return told(whole, questions, staged, { context, found: tried })
}

const nothingFound: Claims = { claims: [], dropped: {}, remarks: [] }

type Left = Pick<Panel, 'poll' | 'plan'> & { readonly subject: Subject; readonly questions: Questions }

/** Nobody came to judge; what earlier attempts left and is still there stands, and so does what was found now and not refuted. */
function withoutJudge(
  { poll, plan, subject, questions }: Left,
  failure: Unread,
  { raw, found }: { readonly raw: readonly RawAnswer[]; readonly found: Claims },
): Result {
  const { chunks } = subject.packed
  const context = { ...poll.context, claims: found.claims }
  const left = unanswered({ context }, plan, failure, standingWithout({ ...poll, context }, []))
  return told(subject, questions, { ...left, raw, reused: false, chunks }, { context, found })
}

type Asked = Pick<Poll, 'asking'> & Pick<Brief, 'rubric' | 'probes'>

function pollOf(subject: Subject, { asking, rubric, probes }: Asked): Poll {
  const { attempt, packed, past, redact, keyed } = subject
  const { contract } = attempt
  const brief: Brief = { attempt, probes, rubric, packed, earlier: past.earlier, redact, keyed, ttl: past.ttl }
  const context: VoteContext = {
    contract_hash: contract.contract_hash,
    sha: attempt.head_sha,
    kind: contract.policy.verification.verifier.kind,
    release: promptRelease,
    rubric,
    probes,
    coverage: packed.coverage,
    items: past.open,
    claims: [],
    declined: past.declined,
    hiddenText: subject.hiddenText,
    secret: subject.secret,
    addressed: subject.change.hits.filter(({ kind }) => kind === 'addressed'),
  }
  const seek: Poll['seek'] = (chunk, unseen) => soughtFor(subject, chunk, unseen)
  return { asking, brief, context, known: past.known, seek }
}

type Verifier = Subject['attempt']['contract']['policy']['verification']['verifier']

/** One for each reading; where there are more of them than lenses, lenses are used again, with the files in another order. */
const findersOf = (verifier: Verifier): Finder[] =>
  Array.from({ length: verifier.lenses.length === 0 ? 0 : verifier.finders }, (_, index) => ({
    n: index + 1,
    lens: verifier.lenses[index % verifier.lenses.length] ?? 'correctness',
    model: finderModelOf(verifier),
  }))

/** What is on record already costs nothing, so a rebase is never stopped for money. */
function requestsOf({ brief, context, known }: Poll, plan: Plan, finders: readonly Finder[]): ModelRequest[] {
  const { keyed } = brief
  const common = { nonce: 'n'.repeat(36), remarks: [] }
  const looking = finders.flatMap(({ n, lens, model }) =>
    brief.packed.chunks.flatMap((chunk) => {
      if (known.has(answerKey(context, chunk.fingerprint, { purpose: 'find', n, lens, model }))) return []
      return [findRequest(brief, chunk, { ...common, n, lens, model, control: controlFor(chunk, '', keyed) })]
    }),
  )
  const judging = ballotsOf(plan).flatMap(({ n, lens, model, purpose }) =>
    brief.packed.chunks.flatMap((chunk) => {
      if (known.has(answerKey(context, chunk.fingerprint, { purpose, n, lens, model }))) return []
      const { claims } = context
      const items = askedAbout(context.items)
      const terms = { ...common, n, lens, model, items, claims, control: controlFor(chunk, '', keyed) }
      return [verdictRequest(brief, chunk, terms)]
    }),
  )
  return [...looking, ...judging]
}

type Known = { readonly context: VoteContext; readonly found: Claims }

function told(subject: Subject, asked: Questions, { result, ...staged }: Staged, { context, found }: Known): Result {
  const happened = [...asked.happened, ...staged.happened]
  const { raw } = staged
  if (result.kind === 'unavailable') return unavailable(subject, result.reason, happened, raw)
  if (result.kind === 'refer') {
    const { claims: findings, dropped, remarks } = found
    return referred(subject, result.reason, result.detail, { happened, raw, findings, dropped, remarks })
  }
  const { stage } = result
  const { outcome, reason_code, confidence, reasoning, feedback, objections, votes, ...rest } = tell(stage, context)
  const { weighed, graded, evidence, assumption } = stage.told
  const own = asked.probes.filter(({ source }) => source !== 'rubric')
  const byBuilder = outcome === 'PASS' && own.every(({ source }) => source === 'builder')
  return concluded(
    subject,
    { outcome, reason_code, confidence, reasoning, feedback, objections, votes },
    {
      ...rest,
      remarks: [...new Set([...found.remarks, ...rest.remarks]), ...(byBuilder ? [builderOnly] : [])],
      probes: weighed.probes,
      criterion_grades: graded.grades,
      score: graded.score,
      rubric: context.rubric.name,
      evidence,
      dropped: summed(found.dropped, weighed.dropped),
      reused: staged.reused,
      raw,
      happened:
        assumption === null
          ? happened
          : [...happened, { type: 'AssumptionViolation', data: { pattern: 'unseen', evidence: assumption } }],
    },
  )
}

function summed(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}

/** Demos, tests and places without a network. Hidden text and what was not read refer here too. */
export function byWords(subject: Subject, { probes, happened, raw }: Questions): Result {
  const { packed } = subject
  const own = probes.filter(({ source }) => source !== 'rubric')
  const more = { happened, raw, remarks: [heuristicRemark], rubric: 'heuristic' }
  const graded = gradeByWords(
    own,
    packed.chunks.flatMap(({ files }) => files),
  )
  const { outcome, confidence } = graded
  const bar = outcome === 'PASS' ? barOf(subject) : null
  if (bar !== null) return referred(subject, bar.reason, bar.words, more)
  const missing = graded.probes.filter(({ answer }) => answer !== 'met')
  const feedback = outcome === 'PASS' ? null : missing.map(({ id, text }) => `[${id}] ${text}`).join('\n')
  const criterion_grades = Object.fromEntries(graded.probes.map(({ id, answer }) => [id, graded.grade(answer)]))
  return concluded(
    subject,
    {
      outcome,
      reason_code: null,
      confidence,
      reasoning: `${heuristicRemark}: ${own.length - missing.length} of ${own.length} questions found in what was added.`,
      feedback,
      objections: outcome === 'PASS' ? [] : missing.map(({ id }) => id),
      votes: null,
    },
    { ...more, probes: graded.probes, criterion_grades },
  )
}
