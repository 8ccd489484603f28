// A finding of the red team from push to push, where nobody answers on the way: silence lifts no block.
import { expect, test } from 'vitest'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import type { GateAnswer } from '../../src/ports.ts'
import type { Model } from '../../src/verifier/calls/model.ts'
import type { Change } from '../../src/verifier/change/change.ts'
import { aCourse, before, elsewhere, passing } from './course.ts'
import { attacks, flaw, founds, refutes } from './first-readings.ts'
import { aChange, aContract, aFile, aModel, failedWith, refusedAs, type Said } from './lab.ts'

const attacker = (...findings: Said[]) =>
  aModel((request) => {
    const { step } = promptSeen(request)
    if (step === 'attack') return attacks(request, ...findings)
    return step === 'find' ? founds(request) : refutes(request, 'stands')
  })
const away = aModel(() => failedWith('transient'))
const refusing = aModel(() => refusedAs('cyber'))
/** The attack is answered, and nobody is left to try what it found. */
const halfAway = aModel((request) =>
  promptSeen(request).step === 'attack' ? attacks(request, flaw) : failedWith('transient'),
)
const mended = aChange([
  aFile('src/users.ts', [' function remove(user) {', '+  requireAdmin()', '   drop(user)', ' }']),
])

async function course(...attempts: readonly (readonly [Model | null, Change])[]) {
  const red_team = { enabled: true, on_error: 'pass_with_info' } as const
  const one = aCourse(aContract({ stakes: 'high', verifier: { tier: 2 }, policy: { security: { red_team } } }))
  const answers: GateAnswer[] = []
  for (const [index, [model, change]] of attempts.entries()) {
    await one.push(`a${index + 1}`, passing(), change)
    answers.push(await one.attack(model, change))
  }
  return answers.map(({ verdict, report }) => `${verdict} ${report?.findings.length}`)
}

test.each<[string, Model | null, string]>([
  ['nobody finds again', attacker(), 'BLOCK 1'],
  ['nobody can be asked about', away, 'REFER 1'],
  ['nobody has a key to ask about', null, 'REFER 1'],
  ['an attacker refuses to speak about', refusing, 'REFER 1'],
  ['is found again and nobody can try', halfAway, 'REFER 1'],
])('what %s stands, and is tried with the push after', async (_title, second, expected) => {
  const outcomes = await course([attacker(flaw), before], [second, elsewhere], [attacker(), elsewhere])
  expect(outcomes).toEqual(['BLOCK 1', expected, 'BLOCK 1'])
})

test.each<[string, [Model, Change][], string[]]>([
  [
    'that has become other code',
    [
      [attacker(flaw), before],
      [away, mended],
    ],
    ['BLOCK 1', 'PASS_WITH_FINDINGS 0'],
  ],
  [
    'that blocks nothing',
    [
      [attacker({ ...flaw, severity: 'LOW' }), before],
      [away, elsewhere],
    ],
    ['PASS_WITH_FINDINGS 1', 'PASS_WITH_FINDINGS 1'],
  ],
  ['that nobody has tried yet', [[halfAway, before]], ['PASS_WITH_FINDINGS 0']],
])('what is found in a place %s stops nothing in an outage', async (_title, attempts, expected) => {
  expect(await course(...attempts)).toEqual(expected)
})

test('who takes responsibility while nobody answers ends it', async () => {
  const red_team = { enabled: true } as const
  const one = aCourse(aContract({ stakes: 'high', verifier: { tier: 2 }, policy: { security: { red_team } } }))
  await one.push('a1', passing(), before)
  await one.attack(attacker(flaw), before)
  await one.push('a2', passing(), elsewhere)
  await one.attack(away, elsewhere)
  one.override('It is meant so.')
  await one.push('a3', passing(), before)
  expect((await one.attack(attacker(flaw), before)).verdict).toBe('PASS')
})
