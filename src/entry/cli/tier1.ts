// `countersign tier1`: the built-in checks on a clone, so that whoever is about to push knows what the gate would say.
import type { Tier1Report } from '../../checks/tier1/report.ts'
import { oneLine } from '../../checks/tier1/one-line.ts'
import { policyFile } from '../../core/contract/scope.ts'
import { CannotRun, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { onCommitted, wishIn, type Subject, type Wish } from './clone/committed.ts'

export const builtIn: CliCommand = {
  name: 'tier1',
  summary: 'run the built-in checks on a clone',
  help: `countersign tier1 [folder] [--base <commit>] [--policy <file>] [--json]

Runs the built-in checks on what is committed since the branch left its base, as the Action does on the pull request.
The clone is the one that holds the folder, or else the one where this runs. No command of the policy runs, and nothing
is asked of a network or a model.

  --base <commit>   the branch that you will merge into; without it the default branch of \`origin\`
  --policy <file>   another policy than ${policyFile} of the base, which is the one that governs
  --json            print { "passed", "base", "head", "files", "checks", "findings", "warnings" }
  --help            print this

The organisation's policy and the task of the pull request are not known here; they can only ask for more.

Exit code 0: every check passed. 1: at least one did not. 2: the checks could not run.`,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign tier1: ${wish}. \`countersign tier1 --help\` says what there is.`)
    return 2
  }
  try {
    return await onClone(wish, io)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign tier1', error, wish.json, io)
  }
}

async function onClone(wish: Wish, io: Io): Promise<ExitCode> {
  return onCommitted(wish, async ({ subject, files, report }) => {
    const count = files.length
    io.out(wish.json ? forPrograms(subject, count, report) : forPeople(subject, count, report))
    return report.passed ? 0 : 1
  })
}

const forPrograms = ({ base, head }: Subject, files: number, report: Tier1Report): string => {
  const { passed, checks, findings, warnings } = report
  return JSON.stringify({ passed, base, head, files, checks, findings, warnings }, null, 2)
}

function forPeople({ base, head }: Subject, files: number, report: Tier1Report): string {
  const { checks } = report
  const failed = checks.filter(({ passed }) => !passed)
  const changed = files === 1 ? '1 file' : `${files} files`
  return [
    ...tier1Lines(report),
    ...(checks.length === 0 ? ['There was nothing to check.'] : []),
    `${checks.length - failed.length} passed, ${failed.length} failed (${changed}, ${base.slice(0, 7)}...${head.slice(0, 7)})`,
  ].join('\n')
}

/** What of it somebody has to read: what failed, what was found, and what was not looked at. */
export function tier1Lines({ checks, findings, warnings }: Tier1Report): string[] {
  const failed = checks.filter(({ passed }) => !passed)
  return [
    ...failed.map(({ name, detail }) => `FAIL  ${oneLine(name)}${detail === null ? '' : `: ${oneLine(detail)}`}`),
    ...findings.map(({ path, line, severity, message }) => {
      return `${severity.padEnd(6)} ${oneLine(path)}:${line}  ${oneLine(message)}`
    }),
    ...warnings.map((warning) => `note  ${oneLine(warning)}`),
  ]
}
