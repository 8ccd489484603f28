// An outage is what this process knows of it: what waited here and went on elsewhere is no outage for ever.
import { expect, test } from 'vitest'
import { outagesOf } from '../../../src/entry/app/hearing/outages.ts'

const begin = Date.parse('2026-11-25T10:00:00Z')
const error = Object.assign(new Error('Bad Gateway'), { status: 502 })

function weather() {
  let now = begin
  const told: string[] = []
  const outages = outagesOf(
    () => now,
    (what, { installation }) => told.push(`${installation} ${what}`),
  )
  return { outages, told, pass: (seconds: number) => void (now += seconds * 1_000) }
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
