// An outage is what this process knows of it: what waited here and went on elsewhere is no outage for ever.
import { expect, test } from 'vitest'
import { outagesOf } from '../../../src/entry/app/hearing/outages.ts'

const begin = Date.parse('2026-11-25T10:00:00Z')
const error = Object.assign(new Error('Bad Gateway'), { status: 502 })

function weather() {
  let now = begin
  const told: string[] = []
  const called: (readonly string[])[] = []
  const outages = outagesOf(
    () => now,
    (lines) => void called.push(lines),
    (what, { installation }) => told.push(`${installation} ${what}`),
  )
  return { outages, told, called, pass: (seconds: number) => void (now += seconds * 1_000) }
}

test('an outage lasts while its lines come back in vain, however long, and ends with the first answer', () => {
  const { outages, told, pass } = weather()
  for (let waited = 0; waited < 3_600;) {
    const wait = outages.waits('1', 'shop#1', error)
    expect(wait.waited).toBe(waited)
    waited += wait.seconds
    pass(wait.seconds)
    expect(outages.list()).toHaveLength(1)
  }
  outages.over('1', 'shop#1')
  expect(outages.list()).toEqual([])
  expect(told).toEqual(['1 began', '1 ended'])
})

test('where none of its lines comes back to this process another one has them, and nothing is told against GitHub', () => {
  const { outages, told, pass } = weather()
  outages.waits('1', 'shop#1', error)
  outages.waits('2', 'other#1', error)
  pass(59)
  outages.waits('2', 'other#1', error)
  pass(3)
  expect(outages.list()).toEqual([expect.objectContaining({ installation: '2' })])
  expect(told).toEqual(['1 began', '2 began', '1 elsewhere'])
})

test('a line that went on elsewhere begins a later wait from the beginning', () => {
  const { outages, pass } = weather()
  for (const _ of [1, 2, 3]) {
    expect(outages.waits('1', 'shop#1', error)).toMatchObject({ waited: 0, seconds: 1 })
    pass(3_600)
  }
})

const linesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `shop#${index}`)

test('where many wait, few of them try', () => {
  const { outages, pass } = weather()
  const lines = linesOf(200)
  const next = new Map(lines.map((line) => [line, 0]))
  let tries = 0
  for (let second = 0; second < 3_600; second += 1, pass(1)) {
    for (const [line, at] of next) {
      if (at > second) continue
      tries += 1
      next.set(line, second + outages.waits('1', line, error).seconds)
    }
  }
  expect(tries).toBeLessThan(3_000)
})

test('whoever waits for long is tried once more when somebody should be told of it', () => {
  const { outages, pass } = weather()
  for (const line of linesOf(200)) outages.waits('1', line, error)
  pass(5)
  const { seconds } = outages.waits('1', 'shop#7', error)
  pass(seconds)
  expect(outages.waits('1', 'shop#7', error).waited).toBe(61)
})

test('one that is answered calls others back, those that have waited longest first, and each of them calls more', () => {
  const { outages, called, pass } = weather()
  const lines = linesOf(30)
  for (const line of lines) {
    outages.waits('1', line, error)
    pass(1)
  }
  outages.waits('2', 'other#1', error)
  outages.over('1', 'shop#nobody')
  expect(called).toEqual([])
  outages.over('1', 'shop#20')
  expect(called).toEqual([lines.slice(0, 8)])
  outages.over('1', 'shop#3')
  expect(called[1]).toEqual(lines.slice(8, 16))
  // In vain, so it may be called again.
  outages.waits('1', 'shop#0', error)
  outages.over('1', 'shop#1')
  expect(called[2]).toEqual(['shop#0', ...lines.slice(16, 20), ...lines.slice(21, 24)])
})
