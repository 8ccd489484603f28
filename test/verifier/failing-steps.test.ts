// A step of the verifier that throws has judged nothing, and is told once: what the world did is tried again, and anything else
// waits for somebody to mend it.
import { describe, expect, test } from 'vitest'
import { usualSteps, withMore } from '../../src/engine/verify/steps/usual.ts'
import { passing, told } from './course.ts'
import { aModel, failedWith, verdictOf } from './lab.ts'

describe('a step that fails', () => {
  const breaks = (error: unknown) => (): never => {
    throw error
  }
  const bug = new TypeError('x is not a function')
  const outage = Object.assign(new Error('Bad gateway'), { status: 502 })
  const verifier = ['beforeAgent', 'beforeModel', 'wrapModelCall', 'afterModel', 'afterAgent'] as const
  const coordination = [
    'beforeDecompose',
    'afterDecompose',
    'beforeDispatch',
    'afterRollup',
    'beforeUpdateParent',
  ] as const

  test.each([
    ...verifier.map((hook) => [hook, withMore({ verifier: [{ name: 'own', [hook]: breaks(bug) }] })] as const),
    ...coordination.map((hook) => [hook, withMore({ coordination: [{ name: 'own', [hook]: breaks(bug) }] })] as const),
  ])('at %s has judged nothing, and is told once', async (_, steps) => {
    const answer = await verdictOf({ model: passing(), steps })
    expect(told(answer)).toBe('UNAVAILABLE config')
    expect(answer.happened?.filter(({ type }) => type === 'StepFailed')).toEqual([
      { type: 'StepFailed', data: { step: 'own', action: 'escalate', what: 'x is not a function' } },
    ])
  })

  test('for what the world did is tried again', async () => {
    const steps = withMore({ verifier: [{ name: 'own', beforeAgent: breaks(outage) }] })
    const answer = await verdictOf({ model: passing(), steps })
    expect(answer).toMatchObject({
      reason: 'transient',
      retry_at: '2026-01-05T09:02:00.000Z',
      happened: [{ type: 'StepFailed', data: { action: 'retry', what: 'Bad gateway' } }],
    })
  })

  test('at classifying is a fault of ours, and nobody is left to say what follows', async () => {
    const classification = { name: 'classification', wrapModelCall: () => breaks(bug) }
    const steps = { ...usualSteps, verifier: [classification] }
    await expect(verdictOf({ model: passing(), steps })).rejects.toThrow('The step classification failed')
  })

  test('does not take a fault of the model for its own', async () => {
    expect(told(await verdictOf({ model: aModel(() => failedWith('transient')) }))).toBe('UNAVAILABLE transient')
  })
})
