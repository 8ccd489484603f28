// Who stands before a pull request that writes the same places, and what comes of it.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { asksWhoIsAhead, isBehind, mayBeAhead } from '../../src/core/decision/gate/ahead.ts'
import type { PullAhead } from '../../src/core/decision/ahead.ts'
import type { Attempt, Group, TaskState } from '../../src/core/decision/model.ts'
import { ada, aScene } from '../people/scene.ts'
import { anAttempt, aTask, policyOf } from '../words/attempts.ts'

type Parallel = 'off' | 'tell' | 'hold'
const group: Group = { pull: 9, beside: [], base_sha: 'b'.repeat(40), lacking: [], covers: [] }
const seven: PullAhead = { pull: 7, paths: ['src/a.ts', 'src/b.ts'], more: 0 }
const eight: PullAhead = { pull: 8, paths: ['src/c.ts'], more: 2 }

describe('it is asked who is ahead', () => {
  test.each<[string, Parallel, Partial<Attempt>, boolean]>([
    ['where policy tells of them', 'tell', {}, true],
    ['where policy holds it back', 'hold', {}, true],
    ['not where policy does not mind', 'off', {}, false],
    ['not of one that is closed', 'hold', { live: false }, false],
    ['not of a merge group', 'hold', { group }, false],
  ])('%s', (_title, parallel, given, expected) => {
    const behind = anAttempt({ ahead: { pulls: [seven], gone: [] }, ...given }, policyOf({ scope: { parallel } }))
    expect([asksWhoIsAhead(behind), isBehind(behind)]).toEqual([expected, expected])
  })

  test('and nobody may be', () => {
    const policy = policyOf({ scope: { parallel: 'hold' } })
    expect(isBehind(anAttempt({ ahead: { pulls: [], gone: [7] } }, policy))).toBe(false)
  })
})

test.each<[string, Partial<Attempt>, Partial<TaskState>, boolean]>([
  ['one that is open and came before', {}, {}, true],
  ['one that is closed', { live: false }, {}, false],
  ['a merge group', { group }, {}, false],
  ['one that came later', { pull: 10 }, {}, false],
  ['itself', { pull: 9 }, {}, false],
  ['one into another branch', { merges_into: 'release' }, {}, false],
  ['one that is judged at another task by now', {}, { taken_up: { to: 'R1#4' } }, false],
  ['one of a guest whom nobody asked', { guest: true }, {}, false],
  ['one of a guest that somebody took up where it is', { guest: true }, { taken_up: { to: null } }, true],
])('may be ahead: %s', (_title, given, ofTask, expected) => {
  const one = anAttempt({ pull: 7, ...given })
  expect(mayBeAhead({ ...aTask(one), ...ofTask }, one, anAttempt({ pull: 9 }))).toBe(expected)
})

describe('whoever is behind', () => {
  const policy = (parallel: Parallel): PolicyInput => ({
    scope: { parallel },
    verification: { checks: ['test'], verifier: { enabled: false } },
  })
  function behind(parallel: Parallel, ...rounds: readonly (readonly PullAhead[])[]) {
    const scene = aScene(policy(parallel))
    scene.push('a1', { checks: { test: 'passed' } })
    for (const pulls of rounds) scene.tell({ type: 'report_ahead', attempt_id: scene.live().id, pulls })
    return scene
  }
  const lines = (scene: ReturnType<typeof behind>): string[] => [
    scene.shown(),
    ...(scene.decision()?.reasons ?? []).map(({ code, subject, detail }) => `${code} ${subject}: ${detail}`),
    ...(scene.decision()?.warnings ?? []).map(({ code, subject, detail }) => `(${code} ${subject}: ${detail})`),
  ]
  const sevenWaits = 'awaiting_pull 7: src/a.ts, src/b.ts'
  const eightWaits = 'awaiting_pull 8: src/c.ts and 2 more'

  // prettier-ignore
  test.each<[string, Parallel, readonly (readonly PullAhead[])[], string[]]>([
    ['waits for all of them, where policy says so', 'hold', [[seven, eight]], ['pending parallel', sevenWaits, eightWaits]],
    ['is told, where policy says so', 'tell', [[seven, eight]], ['success success', '(pull_ahead 7: src/a.ts, src/b.ts)', '(pull_ahead 8: src/c.ts and 2 more)']],
    ['is told nothing where policy does not mind', 'off', [[seven], []], ['success success']],
    ['is told whose way is free by now, and waits for the rest', 'hold', [[seven, eight], [eight]], ['pending parallel', eightWaits, '(way_free 7: null)']],
    ['goes on when the way is free', 'hold', [[seven], []], ['success success', '(way_free 7: null)']],
  ])('%s', (_title, parallel, rounds, expected) => expect(lines(behind(parallel, ...rounds))).toEqual(expected))

  test('goes on where somebody lets it pass, and waits for who is new', () => {
    const scene = behind('hold', [seven])
    scene.says(ada, '/override the two go together')
    expect(scene.shown()).toBe('success success')
    scene.tell({ type: 'report_ahead', attempt_id: scene.live().id, pulls: [seven, eight] })
    expect(lines(scene).slice(0, 2)).toEqual(['pending parallel', eightWaits])
  })
})
