// The workflow that runs the Action by a policy, as text to be committed: one job for everything or, by `isolation: job`,
// one for tier 1 and one for each command. Jobs are called so that the App can tell from this text which is which.
import type { Policy } from '../../contract/policy/policy.ts'

export type WorkflowText =
  | { readonly kind: 'text'; readonly text: string }
  /** Names of checks that no job can bear as they are. */
  | { readonly kind: 'unfit'; readonly names: readonly string[] }

/** `steps`: what the commands need beforehand, each one line of YAML. */
export function workflowText(
  { verification }: Policy,
  isolation: Isolation,
  steps: readonly string[] = [],
): WorkflowText {
  const commands = verification.checks.filter(({ command }) => command !== undefined)
  if (isolation !== 'job') return { kind: 'text', text: oneJob(minutesFor(commands, verification), setUp(steps)) }
  const names = commands.map(({ name }) => name)
  const unfit = names.filter((name) => !isPlain(name))
  if (unfit.length > 0) return { kind: 'unfit', names: unfit }
  return {
    kind: 'text',
    text: jobForEach(names, minutesFor(commands, { ...verification, isAlone: true }), setUp(steps)),
  }
}
export type Isolation = Policy['verification']['execution']['isolation']

/** GitHub shows it as it is then: nothing to be trimmed, broken into lines or worked out. */
const isPlain = (name: string): boolean => name === name.trim() && !/[\p{Cc}\p{Zl}\p{Zp}]|\$\{\{/u.test(name)

type Limits = Pick<Policy['verification'], 'execution' | 'timeout_retry'> & { readonly isAlone?: boolean }

/** What a job may need beside the commands, and the least and the most that it gets. */
const besideMinutes = 20
const minutesMin = 30
const minutesMax = 360

/** A job that GitHub ends because of its time is cancelled, and no check fails for that: the Action has to be faster. */
function minutesFor(
  commands: readonly { readonly timeout: number }[],
  { execution, timeout_retry: { max, factor }, isAlone = false }: Limits,
): number {
  const tries = Array.from({ length: max + 1 }, (_, at) => factor ** at).reduce((sum, one) => sum + one, 0)
  const seconds = commands.map(({ timeout }) => timeout * tries)
  const isOneByOne = execution.mode === 'sequential' && !isAlone
  const most = isOneByOne ? seconds.reduce((sum, one) => sum + one, 0) : Math.max(0, ...seconds)
  return Math.min(minutesMax, Math.max(minutesMin, Math.ceil(most / 60) + besideMinutes))
}

const begin = (
  command: string,
): string => `# Written by \`${command}\`. It belongs into .github/workflows/countersign.yml.
on:
  pull_request: { types: [opened, synchronize, reopened, edited] } # edited: it may have another base
  merge_group:
# All that it needs. There is no secret here, so it serves pull requests from forks as well.
permissions: { contents: read }
jobs:
`
const notForWords = `    if: github.event.action != 'edited' || github.event.changes.base
`
const checkout = `      - { uses: actions/checkout@v5, with: { persist-credentials: false } }
`
const setUp = (steps: readonly string[]): string =>
  steps.length === 0
    ? `      # Whatever the checks need comes here, such as actions/setup-node.
`
    : steps.map((step) => `      - { ${step} }\n`).join('')

const oneJob = (minutes: number, preparing: string): string =>
  `${begin('countersign workflow')}  countersign:
${notForWords}    runs-on: ubuntu-latest
    timeout-minutes: ${minutes}
    steps:
${checkout}${preparing}      - uses: countersign/countersign@v0
`

const jobForEach = (names: readonly string[], minutes: number, preparing: string): string =>
  `${begin('countersign workflow --isolation job')}  # The built-in checks. No command may run here, nor an action of somebody else: what this job says is believed because
  # nothing of the change can reach it.
  tier1:
${notForWords}    runs-on: ubuntu-latest
    timeout-minutes: ${minutesMin}
    steps:
${checkout}      - uses: countersign/countersign@v0
  # How each of these ends is the result of its check. They begin once tier 1 has spoken, whatever it said.
  checks:
    needs: tier1
    if: \${{ !cancelled() && needs.tier1.result != 'skipped' }}
    name: \${{ matrix.check }}
    runs-on: ubuntu-latest
    timeout-minutes: ${minutes}
    strategy:
      fail-fast: false
      # The commands of the policy, by name. One that is added there needs its line here.
      matrix:
        check:
${names.map((name) => `          - ${JSON.stringify(name)}\n`).join('')}    steps:
${checkout}${preparing}      - { uses: countersign/countersign@v0, with: { check: '\${{ matrix.check }}' } }
`
