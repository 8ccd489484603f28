// `countersign workflow`: the workflow that runs the Action by the policy of this repository, ready to be committed.
import { parseArgs } from 'node:util'
import { readPolicy } from '../../core/contract/policy/read-policy.ts'
import { policyFile } from '../../core/contract/scope.ts'
import type { Policy } from '../../core/contract/policy/policy.ts'
import { visible } from '../../core/visible.ts'
import { workflowText, type Isolation } from '../../core/words/run/workflow-text.ts'
import { CannotRun, readText, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { wrongOption } from './common/wrong-option.ts'

const isolations = ['shared', 'user', 'job'] as const satisfies readonly Isolation[]

export const workflow: CliCommand = {
  name: 'workflow',
  summary: 'print the workflow that runs the checks of the policy',
  help: `countersign workflow [--isolation shared|user|job]

Prints the workflow that runs the Action by ${policyFile} in this folder. Save it, and add what your checks need:

  countersign workflow > .github/workflows/countersign.yml

With \`isolation: job\` it has one job for tier 1 and one for each check that is a command: print it anew when those change.

  --isolation <how>   as if the policy said so under \`verification.execution.isolation\`
  --help              print this

Exit code 0: printed. 2: there is no valid policy with a command, or a check has a name that no job can bear.`,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if ('wrong' in wish) {
    io.err(`countersign workflow: ${wish.wrong}. \`countersign workflow --help\` says what there is.`)
    return 2
  }
  try {
    const { asked } = wish
    const policy = await policyHere()
    const { isolation } = policy.verification.execution
    io.out(textOf(policy, asked ?? isolation).trimEnd())
    if (asked !== null && asked !== isolation) {
      io.err(
        `The policy says \`isolation: ${isolation}\`. Write \`verification.execution.isolation: ${asked}\` into it.`,
      )
    }
    return 0
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign workflow', error, false, io)
  }
}

type Wish = { readonly asked: Isolation | null } | { readonly wrong: string }

function wishIn(args: readonly string[]): Wish {
  try {
    const { values } = parseArgs({ args: [...args], options: { isolation: { type: 'string' } } })
    if (values.isolation === undefined) return { asked: null }
    const known = isolations.find((one) => one === values.isolation)
    return known === undefined ? { wrong: `--isolation is one of ${isolations.join(', ')}` } : { asked: known }
  } catch (error) {
    return { wrong: wrongOption(error, ['isolation', 'help']) }
  }
}

async function policyHere(): Promise<Policy> {
  const text = await readText(policyFile, 'Run this in the root of the repository.')
  const reading = readPolicy(text, policyFile)
  if (!reading.ok) throw new CannotRun(`${policyFile} is invalid`, reading.problems)
  if (reading.policy.verification.checks.some(({ command }) => command !== undefined)) return reading.policy
  throw new CannotRun(`${policyFile} has no check that is a command, so it needs no workflow of ours.`)
}

function textOf(policy: Policy, isolation: Isolation): string {
  const written = workflowText(policy, isolation)
  if (written.kind === 'text') return written.text
  const names = written.names.map((name) => `\`${visible(name)}\``).join(', ')
  throw new CannotRun(`no job can be called ${names}. Give each a \`name\` of one line in ${policyFile}.`)
}
