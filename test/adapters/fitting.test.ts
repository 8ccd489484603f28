// Texts are cut where GitHub would refuse them, by bytes and never within a character; and a check run is shown even where
// GitHub refuses its text.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { showRun } from '../../src/adapters/github/show/check-run.ts'
import { nodeIds } from '../../src/adapters/github/show/node-ids.ts'
import { fitting } from '../../src/adapters/github/show/fitting.ts'
import { scripted, type Asked } from './scripted.ts'

describe('a text that is too long', () => {
  test.each([
    ['is left alone while it fits', 'x'.repeat(65_535), 65_535],
    ['is counted in bytes', 'ä'.repeat(40_000), 65_535],
    ['is cut between characters of three bytes', '界'.repeat(30_000), 65_535],
    ['is cut between characters of four bytes', `x${'🌊'.repeat(20_000)}`, 65_532],
  ])('%s', (_name, text, bytes) => {
    const shown = fitting(text, 'summary')
    expect(Buffer.byteLength(shown)).toBe(bytes)
    expect(shown).not.toContain('\u{fffd}')
    expect(text.startsWith(shown.replace(/…$/, ''))).toBe(true)
  })

  test('says that there was more', () => {
    expect(fitting('é'.repeat(70_000), 'summary')).toMatch(/é…$/)
    expect(fitting('short', 'title')).toBe('short')
  })

  test('is made of whole characters, or GitHub cannot read it', () => {
    expect(fitting('half \ud83c a wave', 'title')).toBe('half \u{fffd} a wave')
  })
})

const output = z.object({
  output: z.object({
    title: z.string(),
    summary: z.string(),
    annotations: z.array(z.object({ message: z.string() })).optional(),
  }),
})
const outputOf = ({ body }: Asked) => output.parse(body).output
const run = {
  kind: 'check_run',
  status: 'completed',
  sha: 'a1',
  name: 'countersign',
  conclusion: 'failure',
  title: 'Changes needed: `größe` failed',
  summary: '# Why\n'.repeat(20_000),
  text: '',
  annotations: [{ path: 'src/a.ts', line: 1, message: '語'.repeat(30_000) }],
} as const

test('a check run has no text that GitHub would refuse for its length', async () => {
  const { access, asked } = scripted(() => ({ status: 201, json: { id: 7 } }))
  expect(await showRun({ access, ids: nodeIds() }, run, null)).toEqual({ ref: '7!a' })
  const [sent] = asked.map(outputOf)
  expect(Buffer.byteLength(sent?.summary ?? '')).toBeLessThanOrEqual(65_535)
  expect(Buffer.byteLength(sent?.annotations?.[0]?.message ?? '')).toBeLessThanOrEqual(65_535)
})

const refused = { status: 422, json: { message: 'Invalid request.' } }
const isBare = (one: Asked): boolean => outputOf(one).summary === 'Changes needed: `gr??e` failed'

describe('what GitHub refuses for its content', () => {
  test.each([
    ['its annotations', (one: Asked) => outputOf(one).annotations === undefined, '7!', 2],
    ['its text', isBare, '7!', 3],
  ])('is shown without %s', async (_name, isTaken, ref, requests) => {
    const { access, asked } = scripted((one) => (isTaken(one) ? { status: 201, json: { id: 7 } } : refused))
    expect(await showRun({ access, ids: nodeIds() }, run, null)).toEqual({ ref })
    expect(asked).toHaveLength(requests)
    expect(asked.at(-1)?.body).toMatchObject({ status: 'completed', conclusion: 'failure' })
  })

  test('is shown without its text in a run that is there already', async () => {
    const { access, asked } = scripted((one) => (isBare(one) ? { json: { id: 7 } } : refused))
    expect(await showRun({ access, ids: nodeIds() }, run, '7')).toEqual({ ref: '7!' })
    expect(new Set(asked.map(({ line }) => line))).toEqual(new Set(['PATCH /repos/acme/shop/check-runs/7']))
  })

  test('is tried again later where nothing helps', async () => {
    const { access } = scripted(() => refused)
    await expect(showRun({ access, ids: nodeIds() }, run, null)).rejects.toMatchObject({ status: 422 })
  })
})

test.each([403, 404, 500])('a check run that is refused with %d is never passed over', async (status) => {
  const { access } = scripted(() => ({ status, json: { message: 'no' } }))
  await expect(showRun({ access, ids: nodeIds() }, run, null)).rejects.toMatchObject({ status })
})

test('a run that is gone is made anew', async () => {
  const { access, asked } = scripted(({ line }) => (line.startsWith('POST') ? { status: 201, json: { id: 8 } } : null))
  expect(await showRun({ access, ids: nodeIds() }, run, '7')).toEqual({ ref: '8!a' })
  expect(asked.map(({ line }) => line)).toEqual([
    'PATCH /repos/acme/shop/check-runs/7',
    'POST /repos/acme/shop/check-runs',
  ])
})
