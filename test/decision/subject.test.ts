// What a fact is a fact about: which parts must be equal for it to count elsewhere, and where things are shown.
import { describe, expect, test } from 'vitest'
import { reviewRef, reviewSlot, threadsIn } from '../../src/core/decision/shown/review-ref.ts'
import { checkSlots } from '../../src/core/decision/shown/slots.ts'
import { checkNameOf, isAbout, isSamePlace, isSameTree, type Subject } from '../../src/core/decision/subject.ts'
import { anAttempt, aTask } from '../words/attempts.ts'

const subject: Subject = {
  repository: 'R1',
  pull: 7,
  base_ref: 'main',
  head_sha: 'a1',
  tree_sha: 't1',
  policy_hash: 'p',
}

describe('a fact about another', () => {
  const other = (given: Partial<Subject>) => {
    const kinds = ['attempt', 'approval', 'change_request', 'rejection', 'shown', 'deployment'] as const
    return kinds.filter((kind) => isAbout(kind, { ...subject, ...given }, subject))
  }
  // prettier-ignore
  test.each<[string, Partial<Subject>, string[]]>([
    ['nothing', {}, ['attempt', 'approval', 'change_request', 'rejection', 'shown', 'deployment']],
    ['repository', { repository: 'R2' }, ['approval', 'change_request', 'rejection', 'deployment']],
    ['pull request', { pull: 8 }, ['rejection', 'shown']],
    ['base', { base_ref: 'next' }, ['change_request', 'rejection']],
    ['commit of the same tree', { head_sha: 'b2' }, ['approval', 'change_request', 'rejection']],
    ['commit and tree', { head_sha: 'b2', tree_sha: 't2' }, ['change_request']],
    ['policy', { policy_hash: 'q' }, ['approval', 'change_request', 'rejection', 'shown', 'deployment']],
  ])('%s counts for these kinds here', (_title, given, kinds) => expect(other(given)).toEqual(kinds))
})

test('a tree that GitHub did not tell is the same only with its commit', () => {
  const unknown = { head_sha: 'a1', tree_sha: '' }
  expect(isSameTree(unknown, { head_sha: 'b2', tree_sha: '' })).toBe(false)
  expect(isSameTree(unknown, { head_sha: 'a1', tree_sha: 't1' })).toBe(true)
  expect(isSameTree({ head_sha: 'b2', tree_sha: 't1' }, { head_sha: 'a1', tree_sha: 't1' })).toBe(true)
  expect(isSameTree({ head_sha: 'b2', tree_sha: 't2' }, { head_sha: 'a1', tree_sha: 't1' })).toBe(false)
})

test('a place is a commit, judged for one branch and merging into one', () => {
  const place = { head_sha: 'a1', base_ref: 'main', merges_into: 'stack' }
  expect(isSamePlace(place, { ...place })).toBe(true)
  for (const given of [{ head_sha: 'b2' }, { base_ref: 'next' }, { merges_into: 'main' }])
    expect(isSamePlace(place, { ...place, ...given })).toBe(false)
})

test('every base but the default one has a check of its own name', () => {
  expect(checkNameOf({ base_ref: 'main', base_is_default: true })).toBe('countersign')
  expect(checkNameOf({ base_ref: 'lax', base_is_default: false })).toBe('countersign (lax)')
})

test('the check runs of a commit are known, and those of no other', () => {
  const slot = { digest: 'd', ref: null }
  const slots = {
    'check:a1:countersign': slot,
    'check:a1:countersign (lax)': slot,
    'check:a12:countersign': slot,
    'sticky:7': slot,
  }
  const task = { ...aTask(anAttempt()), slots }
  expect(checkSlots(task, 'a1')).toEqual(['check:a1:countersign', 'check:a1:countersign (lax)'])
})

test('where a review is shown says which thread belongs to which finding', () => {
  const threads = { abc: 12, 'c1.p1': 7 }
  expect(reviewRef(5, threads)).toBe('5 abc=12 c1.p1=7')
  expect(threadsIn(reviewRef(5, threads))).toEqual(threads)
  expect(threadsIn(reviewRef(5, {}))).toEqual({})
  expect(threadsIn(null)).toEqual({})
  expect(reviewSlot('t#1')).toBe('verdict:t#1')
})
