// What people say about a change, and what they take back.
import { at, happened, headOf, short, type Change, type No, type Yes } from './change.ts'

const people = ['ada', 'bob', 'eve'] as const

function no(change: Change, told: boolean, { by, how, pull }: Pick<No, 'by' | 'how' | 'pull'>): No {
  const sha = headOf(change, pull)
  const one = { by, how, sha, pull, step: change.step, told, stands: !change.demoted.has(by) }
  change.noes.push(one)
  happened(change, told, `${by} says no to ${short(sha)} at #${pull} by ${how}`)
  return one
}

function yes(change: Change, told: boolean, { by, how }: Pick<Yes, 'by' | 'how'>): Yes {
  const { pull, base, step, yeses } = change
  const one = { by, how, sha: headOf(change, pull), pull, base, step, stands: !change.demoted.has(by) }
  yeses.push(one)
  happened(change, told, `${by} says yes to ${at(one.sha, base)} by ${how}`)
  return one
}

/** What is not told is judged when it is heard, by what whoever said it may do by then: who may not speaks aloud. */
const aSpeaker = ({ roll, demoted }: Change, told: boolean): string | null => {
  const by = roll.oneOf(people)
  return demoted.has(by) && !told ? null : by
}

const lift = <T extends No | Yes>(said: readonly T[], is: (one: T) => boolean): void => {
  for (const one of said) if (is(one)) one.stands = false
}

export function says(change: Change, pull: number, told: boolean): (() => void) | null {
  const { shop } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    const comment = shop.github.comment(shop.name, pull, { body: '/reject not like this', by })
    change.comments.push({ id: comment, by, no: no(change, told, { by, how: 'a comment', pull }) })
  }
}

/** Of each person the last review counts, with what was said in those before it. */
export function reviews(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, pull, noes, yeses } = change
  const by = aSpeaker(change, told)
  const approves = roll.chance() < 0.7
  if (by === null) return null
  return () => {
    const event = approves ? 'APPROVE' : 'REQUEST_CHANGES'
    const id = shop.github.review(shop.name, pull, { by, event, body: 'I looked at it' })
    lift(noes, (one) => one.by === by && one.pull === pull && /review/.test(one.how))
    lift(yeses, (one) => one.by === by && one.pull === pull && one.how === 'an approval')
    const says = approves
      ? yes(change, told, { by, how: 'an approval' })
      : no(change, told, { by, how: 'a review', pull })
    change.reviews.push({ id, says })
  }
}

export function saysInReview(change: Change, told: boolean): (() => void) | null {
  const { shop, pull } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    shop.github.review(shop.name, pull, { by, event: 'COMMENT', body: '/reject not like this' })
    no(change, told, { by, how: 'words of a review', pull })
  }
}

export function dismisses(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, pull, demoted } = change
  const standing = change.reviews.filter(({ says }) => says.stands)
  const one = standing[roll.below(standing.length)]
  if (one === undefined || demoted.has('ada')) return null
  return () => {
    shop.github.dismiss(shop.name, pull, one.id, 'ada')
    one.says.stands = false
    happened(change, told, `ada dismisses ${one.says.how} of ${one.says.by} in step ${one.says.step}`)
  }
}

export function labels(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, noes, demoted } = change
  if (demoted.has('bob')) return null
  const label = 'countersign:reject'
  return () => {
    if (change.isLabelled) {
      shop.github.unlabel(shop.name, pull, label, 'bob')
      lift(noes, ({ how }) => how === 'a label')
      happened(change, told, 'bob takes the label away')
    } else {
      shop.github.label(shop.name, pull, label, 'bob')
      no(change, told, { by: 'bob', how: 'a label', pull })
    }
    change.isLabelled = !change.isLabelled
  }
}

/** Which of their noes there it takes back is for the product to say: none of them is asked for any more. */
export function takesBack(change: Change, pull: number, told: boolean): (() => void) | null {
  const { shop, mate, noes, yeses } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/revoke', by })
    const sha = headOf(change, pull)
    lift(noes, (one) => one.by === by && (one.pull === mate.pull) === (pull === mate.pull))
    lift(yeses, (one) => one.by === by && one.how !== 'an approval' && one.sha === sha)
    happened(change, told, `${by} takes back at #${pull}`)
  }
}

/** Whoever maintains overrules whoever writes. */
function allowed(change: Change, told: boolean, how: 'an override' | 'a label'): void {
  lift(change.noes, (one) => one.by !== 'ada' && one.pull !== change.mate.pull)
  yes(change, told, { by: 'ada', how })
}

export function allows(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, demoted } = change
  const may = !demoted.has('ada')
  if (!may && !told) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/override the runner was broken', by: 'ada' })
    if (may) allowed(change, told, 'an override')
  }
}

const opener = 'countersign:override'
const isOpen = ({ shop, pull }: Change): boolean => shop.github.look(shop.name, pull).labels.includes(opener)

/** A label opens it for the commit that is there, and a reason completes it where one is asked for. */
export function opens(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, demoted, kind, base } = change
  if (demoted.has('ada') || isOpen(change)) return null
  return () => {
    shop.github.label(shop.name, pull, opener, 'ada')
    change.opened = at(headOf(change, pull), base)
    happened(change, told, `ada labels it ${opener}`)
    if (!kind.asksWhy) allowed(change, told, 'a label')
  }
}

export function completes(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, demoted, base } = change
  if (demoted.has('ada') || !isOpen(change)) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/reason the runner was broken', by: 'ada' })
    happened(change, told, 'ada says why')
    if (change.opened === at(headOf(change, pull), base)) allowed(change, told, 'a label')
  }
}

export function unopens(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, demoted, yeses } = change
  if (demoted.has('ada') || !isOpen(change)) return null
  return () => {
    shop.github.unlabel(shop.name, pull, opener, 'ada')
    lift(yeses, ({ how }) => how === 'a label')
    happened(change, told, `ada takes ${opener} away`)
  }
}

export function talks(change: Change, told: boolean): () => void {
  const { shop, roll, pull, comments } = change
  const by = roll.oneOf(people)
  return () => {
    comments.push({ id: shop.github.comment(shop.name, pull, { body: 'I looked at it', by }), by, no: null })
    happened(change, told, `${by} talks`)
  }
}

/** Whoever writes can put words into the mouths of others, who did not say them. */
export function rewords(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, demoted, comments } = change
  const one = comments[roll.below(comments.length)]
  if (one === undefined || one.no !== null || one.by === 'bob' || demoted.has('bob')) return null
  const body = one.by === 'ada' ? '/override the runner was broken' : '/revoke'
  return () => {
    shop.github.editComment(shop.name, one.id, { body, by: 'bob' })
    happened(change, told, `bob has ${one.by} say ${body}`)
  }
}

/** It was said all the same, where anybody heard it. */
export function deletes(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, comments } = change
  const [one] = comments.splice(roll.below(comments.length), 1)
  if (one === undefined) return null
  return () => {
    shop.github.deleteComment(shop.name, one.id, one.by)
    if (one.no?.told === false) one.no.stands = false
    happened(change, told, `${one.by} deletes what they said${one.no === null ? '' : ` in step ${one.no.step}`}`)
  }
}

/** What they said and nobody told is heard when they may not say it any more. */
export function demotes(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, demoted, noes } = change
  const who = roll.oneOf(people)
  if (demoted.has(who)) return null
  return () => {
    shop.github.setPermission(shop.name, who, 'read')
    demoted.add(who)
    lift(noes, (one) => one.by === who && !one.told)
    happened(change, told, `${who} may only read now`)
  }
}

export function promotes(change: Change, told: boolean): (() => void) | null {
  const { shop, demoted } = change
  const [who] = demoted
  if (who === undefined) return null
  return () => {
    shop.github.setPermission(shop.name, who, who === 'ada' ? 'maintain' : 'write')
    demoted.delete(who)
    happened(change, told, `${who} may do again what they did`)
  }
}
