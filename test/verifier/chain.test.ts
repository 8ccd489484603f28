// How steps are composed: in which order they stand, what ends a way, and whose fault a fault is.
import { describe, expect, test } from 'vitest'
import { around, back, Ended, forth, StepFault, whole } from '../../src/core/chain.ts'

type Step = {
  readonly name: string
  readonly pass?: (text: string) => string | Ended<string> | Promise<string>
  readonly wrap?: (inner: (text: string) => Promise<string>) => (text: string) => Promise<string>
}
const adds = (name: string): Step => ({
  name,
  pass: (text) => `${text}${name}`,
  wrap: (inner) => async (text) => `${name}(${await inner(`${text}${name}`)})`,
})
const silent: Step = { name: 'silent' }
const steps = [adds('a'), silent, adds('b'), adds('c')]
const pass = (step: Step) => step.pass
const wrap = (step: Step) => step.wrap
const failing = (name: string): Step => ({
  name,
  pass: () => {
    throw new Error(`${name} broke`)
  },
  wrap: () => async () => {
    throw new Error(`${name} broke`)
  },
})
const faultIn = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof StepFault) return `${error.step}: ${error.cause instanceof Error ? error.cause.message : ''}`
  return error instanceof Error ? `not of a step: ${error.message}` : 'none'
}

describe('steps', () => {
  test('stand in their order before, the other way round after, and the first is outermost around', async () => {
    expect(await forth(steps, pass, '')).toBe('abc')
    expect(await back(steps, pass, '')).toBe('cba')
    expect(await around(steps, wrap, async (text) => `[${text}]`)('')).toBe('a(b(c([abc])))')
  })

  test('are waited for', async () => {
    const slow: Step = { name: 'slow', pass: async (text) => `${text}slow` }
    expect(await forth([slow, adds('a')], pass, '')).toBe('slowa')
  })

  test('that end the way keep from it whatever would have followed', async () => {
    const ends: Step = { name: 'ends', pass: (text) => new Ended(`${text}.`) }
    expect(await forth([adds('a'), ends, failing('b')], pass, '')).toEqual(new Ended('a.'))
    expect(await back([failing('a'), ends, adds('b')], pass, '')).toEqual(new Ended('b.'))
    expect(whole('text')).toBe('text')
  })

  test('that throw are named, and what comes from within is no fault of theirs', async () => {
    expect(await faultIn(forth([adds('a'), failing('b')], pass, ''))).toBe('b: b broke')
    expect(await faultIn(back([failing('a'), adds('b')], pass, ''))).toBe('a: a broke')
    expect(await faultIn(around([adds('a'), failing('b')], wrap, async () => '')(''))).toBe('b: b broke')
    const breaks = async (): Promise<string> => {
      throw new Error('the core broke')
    }
    expect(await faultIn(around([adds('a'), adds('b')], wrap, breaks)(''))).toBe('not of a step: the core broke')
  })
})
