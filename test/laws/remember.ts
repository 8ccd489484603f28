// What a step means to the oracle: who may do what, in the words of the design. Where the design leaves room the oracle
// allows, so that what it forbids is wrong for certain.
import { atLeast, keyOf, rank, type Oracle, type Place, type Someone } from './oracle.ts'
import type { Base, Step } from './steps.ts'

type OfPull = Exclude<Step, { kind: 'repeat' } | { kind: 'rename' }>
type Of<K extends Step['kind']> = Extract<Step, { kind: K }>

export function remember(oracle: Oracle, step: OfPull, base: Base): void {
  const pull = oracle.pullOf(step.pull)
  if (step.kind === 'push')
    return open(oracle, step.pull, { sha: `${step.tree}${step.commit}`, tree: step.tree, base }, step.known)
  const { place } = pull
  if (place === null) return
  const { known } = oracle.foundAt(pull, place)
  switch (step.kind) {
    case 'close':
      pull.open = false
      return
    case 'retarget':
      return pull.open ? open(oracle, step.pull, { ...place, base }, known) : undefined
    case 'reopen':
      return open(oracle, step.pull, { ...place, base }, known)
    case 'say':
      return said(oracle, step, personOf(oracle, step.who), place)
    case 'review':
      return reviewed(oracle, step, personOf(oracle, step.who), place)
    case 'dismiss':
      return dismissed(oracle, step, personOf(oracle, step.who))
    case 'label':
      return labelled(oracle, step, personOf(oracle, step.who), place)
    case 'reason':
      return pull.open ? reasoned(oracle, step.pull, personOf(oracle, step.who), place) : undefined
    case 'files':
    case 'tier1':
    case 'check':
    case 'verdict':
    case 'shown':
    case 'made_by':
      return pull.open ? reported(oracle, step, place) : undefined
  }
}

function personOf({ everybody }: Oracle, who: number): Someone {
  const one = everybody[who]
  if (one === undefined) throw new Error(`Nobody has the number ${who}`)
  return one
}

/** Whatever was allowed for another place of this pull request is over. */
function open(oracle: Oracle, number: number, place: Place, known: boolean): void {
  const pull = oracle.pullOf(number)
  if (pull.open && pull.place !== null && keyOf(pull.place) === keyOf(place)) {
    // Who made it is found out once somebody looks again.
    if (known) oracle.foundAt(pull, place).known = true
    return
  }
  for (const one of oracle.deeds)
    if (one.pull === number && one.what !== 'reject' && keyOf(one.place) !== keyOf(place)) one.standing = false
  pull.place = place
  pull.open = true
  oracle.foundAt(pull, place).known = known
}

type Report = Extract<OfPull, { kind: 'files' | 'tier1' | 'check' | 'verdict' | 'shown' | 'made_by' }>

function reported(oracle: Oracle, step: Report, place: Place): void {
  const found = oracle.foundAt(oracle.pullOf(step.pull), place)
  switch (step.kind) {
    case 'files':
      found.files ??= step.files
      return
    case 'tier1':
      found.tier1 = { passed: step.passed, run: `${step.run}${step.passed}` }
      return
    case 'check':
      found.check = { state: step.state, run: `${step.run}${step.state}` }
      return
    case 'verdict':
      found.verdict ??= { outcome: step.outcome, sure: step.sure }
      return
    case 'shown':
      found.shown ||= found.verdict !== null
      return
    case 'made_by':
      found.makers.add(personOf(oracle, step.who).id)
  }
}

function said(oracle: Oracle, step: Of<'say'>, who: Someone, place: Place): void {
  if (who.kind === 'bot' || step.through) return
  if (step.command === 'revoke') return revoked(oracle, step.pull, who, place)
  if (!oracle.pullOf(step.pull).open || step.stale) return
  const by = { by: who, pull: step.pull, place, label: null }
  switch (step.command) {
    case 'reject':
      if (atLeast(who, 'write'))
        oracle.deeds.push({ ...by, nth: oracle.next(), what: 'reject', covers: [], standing: true })
      return
    case 'confirm': {
      const third = oracle.rules.separation !== 'triple' || !oracle.hasApproved(who, step.pull)
      if (!atLeast(who, 'write') || oracle.isMaker(who, step.pull) || !third) return
      oracle.foundAt(oracle.pullOf(step.pull), place).confirmed = true
      return
    }
    case 'override':
    case 'override-test':
    case 'override-verifier':
    case 'approve':
    case 'ack':
      return act(oracle, step.command, by)
    case 'retry':
  }
}

type By = { readonly by: Someone; readonly pull: number; readonly place: Place; readonly label: string | null }
type ActName = 'override' | 'override-test' | 'override-verifier' | 'approve' | 'ack'

/** By a human with the permission who made no part of the task, where policy allows it. */
function act(oracle: Oracle, name: ActName, by: By): void {
  if (!atLeast(by.by, oracle.needs(by.place)) || oracle.isMaker(by.by, by.pull)) return
  const { overridable, direct } = oracle.rules
  const what = name === 'approve' || name === 'ack' ? name : 'override'
  if ((what === 'override' && !overridable) || (what === 'approve' && !direct)) return
  oracle.deeds.push({ ...by, nth: oracle.next(), what, covers: coversOf(oracle, name, by), standing: true })
  if (what === 'approve') oracle.approvers.push({ who: by.by, pull: by.pull })
}

function coversOf(oracle: Oracle, name: ActName, { pull, place }: By): { subject: string; run: string | null }[] {
  const { files, tier1, check, verdict, known } = oracle.foundAt(oracle.pullOf(pull), place)
  if (name === 'override-test') return [{ subject: 'check', run: null }]
  if (name === 'override-verifier') return [{ subject: 'verifier', run: null }]
  if (name === 'ack') {
    const guarded = files === 'protected' || files === 'cut' || !known
    return [
      ...(files === 'outside' ? [{ subject: 'scope', run: null }] : []),
      ...(guarded ? [{ subject: 'protected', run: null }] : []),
      ...(oracle.isProposal(place) ? [{ subject: 'proposal', run: null }] : []),
    ]
  }
  if (name === 'approve') return []
  // A plain override covers what had failed, was missing or objected when it was written, and nothing later.
  const objects = verdict !== null && (verdict.outcome !== 'PASS' || !verdict.sure)
  return [
    ...(files === 'empty' ? [{ subject: 'tier1', run: 'empty' }] : []),
    ...(tier1?.passed === false ? [{ subject: 'tier1', run: tier1.run }] : []),
    ...(check !== null && check.state !== 'passed' ? [{ subject: 'check', run: check.run }] : []),
    ...(objects ? [{ subject: 'verifier', run: 'v' }] : []),
  ]
}

/** All is said in one second here, and a no of the very second of a push is about the commit before it as well. */
const isOfTree = (oracle: Oracle, { pull, place }: Oracle['deeds'][number], tree: number): boolean =>
  place.tree === tree || [...oracle.pullOf(pull).found.keys()].some((key) => key.startsWith(`${tree}`))

/** The newest thing that this person did to this commit, or to its tree where it is a rejection. */
function revoked(oracle: Oracle, pull: number, who: Someone, place: Place): void {
  const mine = oracle.deeds.filter(
    (one) =>
      one.standing &&
      one.by.id === who.id &&
      (one.what === 'reject'
        ? isOfTree(oracle, one, place.tree)
        : one.pull === pull && keyOf(one.place) === keyOf(place)),
  )
  const newest = mine.at(-1)
  if (newest !== undefined) newest.standing = false
}

const mayLift = (oracle: Oracle, who: Someone, pull: number, author: Someone): boolean =>
  who.kind === 'human' &&
  (who.id === author.id || (rank[who.permission] > rank[author.permission] && !oracle.isMaker(who, pull)))

function reviewed(oracle: Oracle, { pull, approves, stale }: Of<'review'>, who: Someone, place: Place): void {
  const able = who.kind === 'human' && atLeast(who, 'write') && !oracle.isMaker(who, pull)
  const counted = able && (!approves || !stale)
  const found = oracle.foundAt(oracle.pullOf(pull), place)
  const refers = found.verdict !== null && (found.verdict.outcome === 'REFER' || !found.verdict.sure)
  const referred = counted && approves && !stale && found.shown && refers && atLeast(who, oracle.needs(place))
  for (const one of oracle.reviews) if (one.pull === pull && one.by.id === who.id) one.standing = false
  if (counted || approves) {
    for (const one of oracle.deeds) {
      const isOld = one.label === 'review' && one.pull === pull && one.by.id === who.id && one.place.tree === place.tree
      if (isOld) one.standing = false
    }
  }
  const where = stale ? { sha: 'stale', tree: -1, base: place.base } : place
  const nth = oracle.next()
  oracle.reviews.push({ by: who, nth, pull, place: where, approves, counted, referred, standing: true })
  if (counted && approves) oracle.approvers.push({ who, pull })
  if (counted && !approves && !stale)
    oracle.deeds.push({
      by: who,
      nth: oracle.next(),
      pull,
      place,
      what: 'reject',
      label: 'review',
      covers: [],
      standing: true,
    })
}

function dismissed(oracle: Oracle, { pull, whose }: Of<'dismiss'>, who: Someone): void {
  const author = oracle.everybody[whose]
  const review = oracle.reviews.findLast((one) => one.pull === pull && one.by.id === author?.id)
  if (review === undefined || (!review.approves && !mayLift(oracle, who, pull, review.by))) return
  review.standing = false
  const deed = oracle.deeds.find((one) => one.label === 'review' && one.nth === review.nth + 1)
  if (deed !== undefined && !review.approves) deed.standing = false
}

function labelled(oracle: Oracle, { pull, act: name, added }: Of<'label'>, who: Someone, place: Place): void {
  const key = keyOf(place)
  if (!added) {
    const made = oracle.deeds.filter(
      (one) => one.standing && one.label === name && one.pull === pull && keyOf(one.place) === key,
    )
    if (made.some((one) => one.what === 'reject' && !mayLift(oracle, who, pull, one.by))) return
    for (const one of made) one.standing = false
    const left = oracle.labels.filter((one) => one.pull !== pull || one.key !== key || one.act !== name)
    oracle.labels.splice(0, oracle.labels.length, ...left)
    return
  }
  if (!oracle.pullOf(pull).open || who.kind === 'bot') return
  if (name === 'reject') {
    if (!atLeast(who, 'write')) return
    oracle.deeds.push({
      by: who,
      nth: oracle.next(),
      pull,
      place,
      what: 'reject',
      label: name,
      covers: [],
      standing: true,
    })
  } else if (!atLeast(who, 'maintain') || oracle.isMaker(who, pull)) return
  oracle.labels.push({ who, pull, key, act: name })
}

function reasoned(oracle: Oracle, pull: number, who: Someone, place: Place): void {
  const key = keyOf(place)
  const asked = oracle.labels.findLast((one) => one.pull === pull && one.key === key && one.who.id === who.id)
  if (asked === undefined) return
  const by = { by: who, pull, place, label: asked.act }
  if (asked.act === 'reject')
    oracle.deeds.push({ ...by, nth: oracle.next(), what: 'reject', covers: [], standing: true })
  else if (asked.act === 'override' || asked.act === 'approve') act(oracle, asked.act, by)
}
