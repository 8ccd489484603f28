// A secret goes to no model, refers to a human, and hides nothing: where code may stand behind it, that counts as not shown.
import { describe, expect, test } from 'vitest'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  guardLines,
  outcomeOf,
  promptText,
  saysPass,
  verdictOf,
} from './lab.ts'

// In parts, or whoever looks for secrets would find them here.
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('')
const passing = () => aModel((request) => saysPass(request))
const withLine = (line: string, sign = '+') => aChange([aFile('src/users.ts', [...guardLines, `${sign}${line}`])])
const under = (tier1: object) => attemptFor(aContract({ policy: { verification: { tier1 } } }))

describe('a line that looks like a secret', () => {
  test.each([
    ['refers', `const t = '${token}'`, {}, 'REFER secret'],
    ['refers where it is only warned of', `const t = '${token}'`, { secrets: 'warn' }, 'REFER secret'],
    ['says nothing where nobody looks for secrets', `const t = '${token}'`, { secrets: 'off' }, 'PASS'],
    ['says nothing where the policy allows it', `const t = '${token}'`, { secrets_allowed: ['src/**'] }, 'PASS'],
    [
      'counts as not shown where it stands in no text',
      `const t = ${token}`,
      { secrets_allowed: ['src/**'] },
      'REFER coverage',
    ],
    [
      'counts as not shown where code stands in a text',
      `const t = \`\${${token}}\``,
      { secrets: 'off' },
      'REFER coverage',
    ],
  ])('%s: %s', async (_title, line, tier1, expected) => {
    expect(await outcomeOf({ model: passing(), change: withLine(line), attempt: under(tier1) })).toBe(expected)
  })

  test('does not leave, and is named', async () => {
    const model = passing()
    const answer = await verdictOf({ model, change: withLine(`const t = '${token}'`) })
    expect(model.requests.map(promptText).join()).not.toContain(token)
    expect(answer).toMatchObject({ examined: { remarks: ['src/users.ts:5 looks as if it held a secret.'] } })
    expect(JSON.stringify(answer)).not.toContain(token)
  })

  test('that is removed refers nothing', async () => {
    expect(await outcomeOf({ model: passing(), change: withLine(`const t = '${token}'`, '-') })).toBe('PASS')
  })

  test('refers where code stands within what looks like a key', async () => {
    const [begin, end] = ['BEGIN', 'END'].map((word) => ['-----', word, ' PRIVATE KEY-----'].join(''))
    const change = aChange([aFile('src/users.ts', [...guardLines, `+${begin}`, '+return grant(user)', `+${end}`])])
    const model = passing()
    expect(await outcomeOf({ model, change })).toBe('REFER secret')
    expect(model.requests.map(promptText).join()).toContain('return grant(user)')
  })

  test('refers the other kinds too', async () => {
    const attempt = attemptFor(aContract({ verifier: { kind: 'response_pattern' } }))
    const model = aModel(() => 'VERDICT: PASS')
    expect(await outcomeOf({ model, change: withLine(`const t = '${token}'`), attempt })).toBe('REFER secret')
  })
})
