// What takes its time with what others wrote at hostile length.
import { expect, test } from 'vitest'
import { hiddenText } from '../../../src/checks/tier1/hidden-text.ts'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { costMs } from '../../aside/computed.ts'
import { failures, settings, workspaceOf } from './small-workspace.ts'

const findingsIn = (text: string, line = 2) => {
  return hiddenText('a.ts', [{ kind: 'added', line, text }]).map(({ severity, message }) => `${severity} ${message}`)
}

test('hostile patterns over many files end soon, and what was not looked for is not found', async () => {
  const paths = Array.from({ length: 100_000 }, (_, index) => `${'a/'.repeat(30)}${index}.txt`)
  const workspace = { ...workspaceOf({}), list: async () => paths }
  const expected_outputs = Array.from({ length: 500 }, (_, index) => `**/*${index}*z*z*z*.txt`)
  const cost = await costMs(async () => {
    const report = await tier1([], workspace, settings({ expected_outputs }))
    expect(failures(report)).toHaveLength(500)
    expect(failures(report).at(-1)).toContain('so name the path itself')
  })
  expect(cost).toBeLessThan(10_000)
})

test('a line of a million strange characters takes no time', async () => {
  const cost = await costMs(() => {
    for (const sign of ['\u200b', '\u{e0041}', '👩\u200d', '\ufe0f', 'а', 'aа', '\u{1f3f4}\u{e0067}\u{e0062}']) {
      findingsIn(sign.repeat(1_000_000 / sign.length))
    }
  })
  expect(cost).toBeLessThan(5000)
})
