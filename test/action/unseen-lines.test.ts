// The bundled Action as a process, and files of which git shows no lines: what nobody has seen is not taken for in order.
import { afterAll, expect, test, vi } from 'vitest'
import { aStage, closeStages, policyWith, runs, type Wishes } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

async function failedIn(tier1: string, { base, change }: Required<Pick<Wishes, 'base' | 'change'>>) {
  const stage = await aStage({ policy: policyWith({ test: runs('true') }, `  tier1: { ${tier1} }\n`), base, change })
  const run = await stage.run()
  const checks = run.results().tier1?.checks ?? []
  return { code: run.code, failed: checks.filter(({ passed }) => !passed).map(({ detail }) => detail) }
}

// In parts, or whoever looks for such words would find them here.
const leftOut = ['it', 'skip'].join('.')
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('')
const body = (last: string) =>
  [
    ...Array.from({ length: 30 }, (_, at) => `it('adds ${at}', () => expect(add(${at}, 1)).toBe(${at + 1}))`),
    last,
  ].join('\n')

test.each([
  ['is seen', '', 'src/b.test.ts line 31: This leaves a test out.'],
  ['has a byte of nothing', '//\0\n', 'src/b.test.ts changed, and its diff cannot be seen'],
])('a weaker test under a new name fails where it %s', async (_title, end, detail) => {
  const files = { 'src/a.test.ts': null, 'src/b.test.ts': `${body(`${leftOut}('last', () => {})`)}\n${end}` }
  const base = { 'src/a.test.ts': `${body("it('last', () => {})")}\n` }
  expect(await failedIn('weakened_tests: fail', { base, change: files })).toEqual({ code: 1, failed: [detail] })
})

test('a token fails also in wide characters, which git takes for no text', async () => {
  const change = { 'prod.env': Buffer.from(`TOKEN=${token}\r\n`, 'utf16le').toString('latin1') }
  const detail = 'prod.env line 1 looks as if it held a secret'
  expect(await failedIn('secrets: fail', { base: {}, change })).toEqual({ code: 1, failed: [detail] })
})
