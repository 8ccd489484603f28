// `countersign tier1`: the built-in checks on a clone, so that whoever is about to push knows what the gate would say.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { alteredFiles } from '../../checks/checkout/altered.ts'
import { openClone, type Clone } from '../../checks/checkout/clone.ts'
import { commitWorkspace, entriesOf } from '../../checks/checkout/commit-workspace.ts'
import { ask, changeBetween, type Git } from '../../checks/checkout/git.ts'
import { python } from '../../checks/checkout/python.ts'
import type { Tier1Report } from '../../checks/tier1/report.ts'
import { oneLine, someOf } from '../../checks/tier1/one-line.ts'
import { tier1 } from '../../checks/tier1/tier1.ts'
import type { Policy } from '../../core/contract/policy.ts'
import { readPolicy } from '../../core/contract/read-policy.ts'
import { policyFile } from '../../core/contract/scope.ts'
import { givenEnvironment } from '../environment.ts'
import { CannotRun, readText, tellProblems } from './cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './cli-command.ts'
import { wordsOf } from '../../core/error-words.ts'
import { wrongOption } from './wrong-option.ts'

const UNCOMMITTED_NAMES_MAX = 5

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

type Wish = {
  readonly folder: string
  readonly base: string | null
  readonly policy: string | null
  readonly json: boolean
}
type Subject = { readonly base: string; readonly fork: string; readonly head: string }

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
  const clone = await openClone(wish.folder, givenEnvironment())
  if (clone === null) {
    throw new CannotRun(`there is no clone at ${resolve(wish.folder)}. Run this in a clone, or name one.`)
  }
  const { git } = clone
  const interpreter = python(clone)
  try {
    const subject = await subjectOf(wish, clone)
    const { tier1: settings } = (await policyOf(wish, subject, git)).verification
    const { files, patches } = await changeBetween(git, subject.fork, subject.head).catch(notWhole)
    const workspace = commitWorkspace(git, await entriesOf(git, subject.head).catch(notWhole), interpreter.parse)
    const report = await tier1(files, workspace, settings, { patches })
    const count = files.length
    io.out(wish.json ? forPrograms(subject, count, report) : forPeople(subject, count, report))
    return report.passed ? 0 : 1
  } finally {
    interpreter.end()
    await clone.close()
  }
}

/** What is asked for, or what is wrong with how it was asked. */
function wishIn(args: readonly string[]): Wish | string {
  const word = { type: 'string' } as const
  try {
    const options = { base: word, policy: word, json: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { base = null, policy = null, json } = values
    if (base === '' || base?.startsWith('-') === true) return '--base needs a branch or a commit'
    const [folder = '.', ...more] = positionals
    if (more.length > 0) return 'name one folder at a time'
    return { folder, base, policy, json }
  } catch (error) {
    return wrongOption(error, ['base', 'policy', 'json', 'help'])
  }
}

async function subjectOf({ base: asked }: Wish, clone: Clone): Promise<Subject> {
  const { git } = clone
  const name = asked ?? 'origin/HEAD'
  const base = await ask(git, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  if (base === null) {
    const why = asked === null ? 'the default branch of `origin` is not known here' : `there is no commit \`${asked}\``
    throw new CannotRun(`${why}. Name the branch that you will merge into, such as \`--base main\`.`)
  }
  const head = await ask(git, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head === null) throw new CannotRun('nothing is committed yet.')
  const fork = await ask(git, 'merge-base', base, head)
  if (fork === null) {
    throw new CannotRun(`\`${name}\` and what is checked out have no commit in common here. Fetch the whole history.`)
  }
  const altered = await alteredFiles(clone, head, await entriesOf(git, head).catch(notWhole))
  if (altered.length > 0) {
    const files = someOf(altered, UNCOMMITTED_NAMES_MAX)
    throw new CannotRun(`not everything is committed: ${files}. Commit or stash it: a pull request has only commits.`)
  }
  return { base, fork, head }
}

/** Git fetches nothing here, also not what it left for later. */
function notWhole(error: unknown): never {
  const why = oneLine(wordsOf(error))
  throw new CannotRun(
    `this clone lacks something of its commits (${why}). Fetch them whole: \`git fetch --refetch --no-filter\`.`,
  )
}

async function policyOf({ policy: file }: Wish, { base }: Subject, git: Git): Promise<Policy> {
  const committed = file === null ? await git(['cat-file', 'blob', `${base}:${policyFile}`]) : null
  if (committed?.ok === false) {
    throw new CannotRun(`the base has no ${policyFile}. Name a policy with \`--policy\` to try one.`)
  }
  const name = file ?? `${policyFile} of the base`
  const text = committed?.bytes.toString('utf8') ?? (await readText(name, 'Name another file.'))
  const reading = readPolicy(text, name)
  if (!reading.ok) throw new CannotRun(`${name} is invalid`, reading.problems)
  return reading.policy
}

const forPrograms = ({ base, head }: Subject, files: number, report: Tier1Report): string => {
  const { passed, checks, findings, warnings } = report
  return JSON.stringify({ passed, base, head, files, checks, findings, warnings }, null, 2)
}

function forPeople({ base, head }: Subject, files: number, { checks, findings, warnings }: Tier1Report): string {
  const failed = checks.filter(({ passed }) => !passed)
  const changed = files === 1 ? '1 file' : `${files} files`
  return [
    ...failed.map(({ name, detail }) => `FAIL  ${oneLine(name)}${detail === null ? '' : `: ${oneLine(detail)}`}`),
    ...findings.map(({ path, line, severity, message }) => {
      return `${severity.padEnd(6)} ${oneLine(path)}:${line}  ${oneLine(message)}`
    }),
    ...warnings.map((warning) => `note  ${oneLine(warning)}`),
    ...(checks.length === 0 ? ['There was nothing to check.'] : []),
    `${checks.length - failed.length} passed, ${failed.length} failed (${changed}, ${base.slice(0, 7)}...${head.slice(0, 7)})`,
  ].join('\n')
}
