// Which texts count as secrets, and that looking for them is cheap whatever the text is.
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { redact, SECRET_LENGTH_MAX } from '../../src/core/words/text/redact.ts'

const letters = (count: number): string => 'aB3d'.repeat(Math.ceil(count / 4)).slice(0, count)
const key = (kind: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\nMIIE${letters(200)}\n${letters(60)}==\n-----END ${kind}PRIVATE KEY-----`

describe('a secret is gone, and what surrounds it stays', () => {
  // prettier-ignore
  test.each([
    ['a GitHub token', `ghp_${letters(36)}`],
    ['one of an installation', `ghs_${letters(40)}`],
    ['one with claims', `ghs_123_eyJ${letters(60)}.${letters(80)}.${letters(40)}`],
    ['a fine-grained one', `github_pat_${letters(22)}_${letters(59)}`],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
    ['an AWS secret', `aws_secret_access_key = ${letters(40)}`],
    ['an Anthropic key', `sk-ant-api03-${letters(90)}`],
    ['an OpenAI key', `sk-proj-${letters(48)}`],
    ['a Slack token', `xoxb-1234567890-${letters(24)}`],
    ['a Slack hook', `hooks.slack.com/services/T00000000/B00000000/${letters(24)}`],
    ['an npm token', `npm_${letters(36)}`],
    ['a JSON web token', `eyJhbGciOiJIUzI1NiJ9.eyJ${letters(40)}.${letters(43)}`],
    ['a private key', key('')],
    ['an RSA key', key('RSA ')],
    ['an OpenSSH key', key('OPENSSH ')],
    ['a header as git shows it', 'AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0'],
    ['a signed address', `?sv=1&sig=${letters(44)}%3D`],
  ])('%s', (_, secret) => {
    const text = `before ${secret} after`
    expect(redact(text)).toMatch(/^before (\?sv=1)?\*\*\* after$/)
  })

  test('a password in an address, but not the address', () => {
    expect(redact('git clone https://ada:hunter2@example.com/a.git')).toBe('git clone https://***@example.com/a.git')
  })

  test('one in colours', () => {
    expect(redact(`\u001b[31mghp_${letters(36)}\u001b[0m \u001b[1;32mAKIAIOSFODNN7EXAMPLE`)).toBe(
      '\u001b[31m***\u001b[0m \u001b[1;32m***',
    )
  })

  test('a key that is cut off', () => {
    expect(redact(`x\n${key('').slice(0, 120)}`)).toBe('x\n***')
  })

  test('values that the caller knows, line by line, the short ones left alone', () => {
    const values = ['correct horse', 'true', 'first line of it\nsecond line of it']
    const text = 'true: correct horse, then\n  second line of it\n  first line of it'
    expect(redact(text, values)).toBe('true: ***, then\n  ***\n  ***')
  })

  test('values that overlap leave nothing of either', () => {
    expect(redact('abcdefghijklmnop', ['abcdefghij', 'fghijklmnop'])).toBe('***')
  })
})

test.each([
  'the task-runner-with-a-long-name-that-goes-on is fine',
  'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'https://example.com/a/b?c=d and ssh://git@example.com/x',
  'src/a.ts:12:30: error: sk- is short, so is ghp_abc',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
])('%s is left as it is', (text) => {
  expect(redact(text)).toBe(text)
})

test.each([
  ['eyJ'],
  ['eyJaaaaaaaaaaaa.'],
  ['-----BEGIN PRIVATE KEY-----'],
  ['-----BEGIN '],
  ['://a:'],
  ['ghp_'],
  ['sk-a '],
  ['AUTHORIZATION: basic '],
  ['authorization:   '],
  ['?sig='],
  ['aws_secret_access_key=   '],
])('a megabyte of %j takes no longer than any other', async (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  expect(await costMs(() => redact(text, ['a value that is not there']))).toBeLessThan(1_000)
})

test('no form is longer than what a stream keeps back', () => {
  expect(SECRET_LENGTH_MAX).toBeGreaterThanOrEqual(16_000 + 200)
})
