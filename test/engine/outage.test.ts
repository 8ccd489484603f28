// Whose trouble an error is, also where several stand in one.
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/core/error-words.ts'
import { isOutage } from '../../src/engine/outage.ts'
import { isShutOut } from '../../src/engine/rounds/sweep.ts'
import { NotInstalled } from '../../src/ports.ts'

const removed = new NotInstalled('the App was removed')
const away = Object.assign(new Error('Bad Gateway'), { status: 502 })
const fault = new TypeError('x is not a function')
const several = (...errors: readonly Error[]) => new AggregateError(errors, 'Could not settle it')

test.each([
  ['removed', removed, { shut: true, outage: true }],
  ['removed, twice', several(removed, several(removed)), { shut: true, outage: true }],
  ['removed, and something failed', several(removed, away), { shut: false, outage: true }],
  ['removed, and a fault of ours', several(removed, fault), { shut: false, outage: false }],
  ['nothing that is named', several(), { shut: false, outage: false }],
  ['one of them names nothing', several(removed, several()), { shut: false, outage: false }],
])('%s', (_, error, { shut, outage }) => {
  expect([isShutOut(error), isOutage(error)]).toEqual([shut, outage])
})

test('an error that names no others says what it says itself', () => {
  expect([wordsOf(several()), wordsOf(several(away, fault))]).toEqual([
    'Could not settle it',
    'Bad Gateway; x is not a function',
  ])
})
