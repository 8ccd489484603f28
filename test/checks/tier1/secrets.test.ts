// Secrets in added lines: found in each form, never quoted, failed by default, and allowed where the policy says so.
import { describe, expect, test } from 'vitest'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { modified, patchOf, settings, workspaceOf } from './small-workspace.ts'

// In parts, or whoever looks for secrets would find them here.
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('')
const key = ['-----BEGIN ', 'PRIVATE KEY-----'].join('')

async function report(lines: string[], given: Parameters<typeof settings>[0] = {}, path = 'src/a.ts') {
  const patches = new Map([[path, patchOf(...lines)]])
  return tier1([modified(path)], workspaceOf({ [path]: 'x\n' }), settings(given), { patches })
}

describe('a secret in an added line', () => {
  test.each([
    ['a token', `+const t = '${token}'`],
    ['a private key', `+${key}`],
    ['a key of a cloud', `+id: ${['AK', 'IA', 'ABCDEFGH12345678'].join('')}`],
    ['a key of a model', `+${['sk', '-ant-api03-', 'x1Y2'.repeat(6)].join('')}`],
  ])('%s fails, is named by its place, and not quoted', async (_title, line) => {
    const told = await report([' const a = 1', line])
    expect(told.passed).toBe(false)
    expect(told.checks.filter(({ passed }) => !passed)).toEqual([
      { name: 'secrets', passed: false, detail: 'src/a.ts line 2 looks as if it held a secret' },
    ])
    expect(told.findings).toMatchObject([{ path: 'src/a.ts', line: 2, category: 'secret', severity: 'HIGH' }])
    expect(JSON.stringify(told)).not.toContain(line.slice(10, 30))
  })

  test.each<[string, string[], Parameters<typeof settings>[0], number]>([
    ['that was removed', [`-const t = '${token}'`], {}, 0],
    ['that was there before', [` const t = '${token}'`, '+const a = 1'], {}, 0],
    ['where secrets are warned of', [`+'${token}'`], { secrets: 'warn' }, 1],
    ['where nobody looks for secrets', [`+'${token}'`], { secrets: 'off' }, 0],
    ['in a file that may hold some', [`+'${token}'`], { secrets_allowed: ['src/**'] }, 0],
    ['in a file that is left alone', [`+'${token}'`], { ignore: ['src/**'] }, 0],
    ['that is only a name in hyphens', ['+.sk-loading-indicator-container-large {}'], {}, 0],
  ])('%s fails nothing', async (_title, lines, given, findings) => {
    const told = await report(lines, given)
    expect([told.passed, told.findings.length]).toEqual([true, findings])
  })
})
