// What somebody sees who watches the job: a group for each check, and a sign of life while nothing else is to be seen.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { liveLog } from '../../action/live-log.ts'
import type { CommandRule } from '../../src/checks/runner/plan.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { outcome } from '../app/lab/action-run.ts'

let told: string
beforeEach(() => {
  told = ''
  vi.useFakeTimers()
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    told += String(text)
    return true
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function checkCalled(name: string): CommandRule {
  const rule = `{ name: ${JSON.stringify(name)}, command: deploy --key the-key-of-all }`
  const reading = readPolicy(`version: 1\nverification: { checks: [${rule}] }\n`, 'a policy')
  const [check] = reading.ok ? reading.policy.verification.checks : []
  if (check?.command === undefined) throw new Error('There is no check')
  return { ...check, command: check.command }
}
const [one, other] = [checkCalled('one'), checkCalled('other')]
const report = (name: string, output = '') => ({ result: { ...outcome(true), name, output }, log: '' })
/** The word that switches commands off is another one each time. */
const shown = (): string => told.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'WORD').replaceAll('\r\n', '\n')

test('one by one, each has its group, and what it prints is told as it comes', () => {
  const log = liveLog(true, ['the-key-of-all'])
  log.began(one)
  log.printed(one, '::error::not a command\n')
  log.completed(one, report('one'))
  log.end()
  expect(shown()).toBe(
    '::group::one: deploy --key ***\n::stop-commands::WORD\n::error::not a command\n::WORD::\n::endgroup::\nCompleted: one passed after 1.2 s\n',
  )
})

test('side by side, each is shown whole when it is over', () => {
  const log = liveLog(false, [])
  for (const check of [one, other]) log.began(check)
  log.printed(other, 'half of it\n')
  log.completed(other, report('other', 'all of it\n'))
  log.completed(one, report('one'))
  log.end()
  expect(shown()).toBe(
    'Started: one\nStarted: other\n::group::other passed after 1.2 s\n::stop-commands::WORD\nall of it\n::WORD::\n::endgroup::\nCompleted: one passed after 1.2 s\n',
  )
})

test('every 30 seconds it says what still runs, and for how long, until the end', () => {
  const log = liveLog(false, [])
  vi.advanceTimersByTime(30_000)
  expect(told).toBe('')
  log.began(one)
  vi.advanceTimersByTime(20_000)
  log.began(other)
  vi.advanceTimersByTime(10_000)
  expect(told.split('\n').at(-2)).toBe('Still running: one (30.0 s), other (10.0 s)')
  log.completed(one, report('one'))
  vi.advanceTimersByTime(60_000)
  expect(told.split('\n').at(-2)).toBe('Still running: other (1 min 10 s)')
  log.end()
  told = ''
  vi.advanceTimersByTime(90_000)
  expect(told).toBe('')
})

test('an endless output is told up to a point, and each check has as much', () => {
  const log = liveLog(true, [])
  for (const check of [one, other]) {
    log.began(check)
    for (let at = 0; at < 40; at += 1) log.printed(check, `${'x'.repeat(64 * 1024)}\n`)
    log.completed(check, report(check.name))
  }
  log.end()
  expect(told.match(/\[more is in the artifact\]/g)).toHaveLength(2)
  expect(told.length).toBeLessThan(2.3 * 1024 * 1024)
})
