// The code around a change in a verdict: what of it reaches the model, what it may prove, what is asked once more, and what is
// said where it could not be had.
import { describe, expect, test } from 'vitest'
import type { VerifierAnswer } from '../../src/ports.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  blocking,
  guardLines,
  probesIn,
  promptText,
  saysPass,
  verdictOf,
  type Said,
  type Trial,
} from './lab.ts'

const users = 'function remove(user) {\n  if (!me.isAdmin) throw new Forbidden()\n  drop(user)\n}\n'
const caller = 'export function purge(all) {\n  for (const one of all) remove(one)\n}\n'
const repository = {
  'src/users.ts': users,
  'src/purge.ts': caller,
  'src/roles.ts': 'export const isOwner = () => true\n',
}
const inCaller = { path: 'src/purge.ts', side: 'new', line: 2, quote: 'for (const one of all) remove(one)' }

type Script = (request: Parameters<Parameters<typeof aModel>[0]>[0], nth: number) => Said
async function judged(script: Script, given: Trial = {}): Promise<{ answer: VerifierAnswer; prompts: string[] }> {
  const model = aModel(script)
  const answer = await verdictOf({ model, repository, ...given })
  return { answer, prompts: model.requests.map(promptText) }
}
const fences = (prompt: string): string[] =>
  Array.from(prompt.matchAll(/⟦code-context \w+ "([^"]*)"⟧/g), ([, label = '']) => label)

describe('what stands around a change', () => {
  test('is shown after it, with path, lines and commit, and is on record', async () => {
    const { answer, prompts } = await judged((request) => saysPass(request))
    expect(fences(prompts[0] ?? '')).toEqual([
      'src/purge.ts lines 1-3 at 111111111111: uses remove',
      'src/users.ts lines 1-5 at 111111111111: the changed file as it is now',
    ])
    expect(answer).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: {
        around: [{ path: 'src/purge.ts', from: 1, to: 3, why: 'caller' }, { path: 'src/users.ts' }],
        remarks: [],
      },
    })
  })

  test('is not shown where the policy says so', async () => {
    const attempt = attemptFor(aContract({ verifier: { context_tokens: 0 } }))
    const { answer, prompts } = await judged((request) => saysPass(request), { attempt })
    expect(fences(prompts[0] ?? '')).toEqual([])
    expect(answer).toMatchObject({ verdict: { outcome: 'PASS' } })
  })

  test('never shows that the change does what it should', async () => {
    const says = (request: Parameters<Script>[0]): Said => {
      const probes = probesIn(request).map(({ id }) => ({
        id,
        evidence: [inCaller],
        why: 'It stands there.',
        answer: 'met',
      }))
      return saysPass(request, { probes })
    }
    expect((await judged(says)).answer).toMatchObject({ verdict: { outcome: 'REFER', reason_code: 'cannot_tell' } })
  })

  test('shows that it breaks a caller', async () => {
    const finding = { ...blocking, ...inCaller, claim: 'Whoever purges is no administrator and gets an error.' }
    const { answer } = await judged((request) =>
      saysPass(request, { findings: [finding], proposed_verdict: 'SOFT_FAIL' }),
    )
    expect(answer).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', feedback: expect.stringContaining('src/purge.ts:2: Whoever purges') },
      examined: { findings: [{ proven: true, level: 'blocking' }] },
    })
  })

  test('holds no secret of ours, and no invisible character', async () => {
    const sly = { ...repository, 'src/purge.ts': caller.replace('(all)', '(all, "token-of-the-app", "\u202e")') }
    const { prompts } = await judged((request) => saysPass(request), { repository: sly, secrets: ['token-of-the-app'] })
    expect(prompts[0]).toContain('export function purge(all, "⟦SECRET')
    expect(prompts.join()).not.toMatch(/token-of-the-app|\u202e/)
  })

  test.each([
    [new Error('connection reset'), 'connection reset'],
    ['endless', 'it takes too much time'],
  ] as const)('that could not be had is told, and the change is judged without it: %s', async (given, why) => {
    const { answer } = await judged((request) => saysPass(request), { repository: given })
    expect(answer).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: { remarks: [`Around the change: it was not read: ${why}.`] },
    })
  })
})

describe('what an answer says it has not seen', () => {
  const unsure = (request: Parameters<Script>[0], more: Said = {}): Said => {
    const [first, ...rest] = probesIn(request)
    const probes = [
      { id: first?.id, evidence: [], why: 'Who is an owner?', answer: 'cannot_tell' },
      ...rest.map(({ id }) => ({
        id,
        evidence: [{ path: 'src/users.ts', side: 'new', line: 2, quote: guardLines[2]?.slice(1) }],
        why: 'There.',
        answer: 'met',
      })),
    ]
    return saysPass(request, { probes, unseen_needed: ['isOwner'], ...more })
  }

  test('is shown, and asked about once more', async () => {
    const { answer, prompts } = await judged((request, nth) => (nth === 1 ? unsure(request) : saysPass(request)))
    expect(
      prompts.map(fences).map((labels) => labels.includes('src/roles.ts lines 1-1 at 111111111111: asked for isOwner')),
    ).toEqual([false, true])
    expect(answer).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: { cost: { calls: [{ purpose: 'tier2 0' }, { purpose: 'again 0' }] } },
    })
  })

  test('and is nowhere, is asked about no more', async () => {
    const { answer, prompts } = await judged((request) =>
      unsure(request, { unseen_needed: ['the production database'] }),
    )
    expect(prompts).toHaveLength(1)
    expect(answer).toMatchObject({ verdict: { outcome: 'REFER', reason_code: 'cannot_tell' } })
  })

  test('is asked about once, whatever else is missed then', async () => {
    const { prompts } = await judged((request) => unsure(request))
    expect(prompts).toHaveLength(2)
  })

  test('takes back nothing that the first answer proved', async () => {
    const { answer } = await judged((request, nth) =>
      nth === 1 ? unsure(request, { findings: [blocking], proposed_verdict: 'SOFT_FAIL' }) : saysPass(request),
    )
    expect(answer).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', feedback: expect.stringContaining(blocking.claim) },
    })
  })

  test('is shown to the votes as well', async () => {
    const attempt = attemptFor(aContract({ verifier: { tier: 3 } }))
    const { answer, prompts } = await judged((request, nth) => (nth === 1 ? unsure(request) : saysPass(request)), {
      attempt,
    })
    expect(answer).toMatchObject({ verdict: { outcome: 'PASS', votes: { pass: 3, valid: 3 } } })
    expect(prompts.slice(1).every((prompt) => fences(prompt).some((label) => label.startsWith('src/roles.ts')))).toBe(
      true,
    )
  })
})

describe('is judged whole within the default budget', () => {
  const wide = (files: number, lines: number, length: number) =>
    aChange([
      aFile('src/users.ts', guardLines),
      ...Array.from({ length: files }, (_, file) =>
        aFile(
          `src/part${file}.ts`,
          Array.from({ length: lines }, (_line, at) => `+export const rate${file}_${at} = '${'x'.repeat(length)}'`),
          { status: 'added' },
        ),
      ),
    ])
  test.each([
    ['a change of 2,000 lines', wide(1, 2_000, 20)],
    ['one of 200 KB in 50 files', wide(50, 56, 44)],
  ])('%s', async (_title, change) => {
    const { answer, prompts } = await judged((request) => saysPass(request), { change })
    expect(answer).toMatchObject({ verdict: { outcome: 'PASS' }, examined: { coverage: { unseen: [] } } })
    expect(prompts).toHaveLength(1)
    for (const { path } of change.files) expect(prompts[0]).toContain(`"${path}"`)
  })
})
