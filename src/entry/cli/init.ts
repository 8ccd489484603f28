// `countersign init`: looks at a repository, proposes a policy and the workflow that it needs, and writes both when asked to.
// Nothing that is there is overwritten, and nothing of the repository is run.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agentsHeading, agentsText } from '../../core/words/run/agents-text.ts'
import { policyFile } from '../../core/contract/scope.ts'
import { requestLabelName } from '../../core/words/labels.ts'
import { requestFormFile, requestFormText } from '../../core/words/issues/request-form.ts'
import { visible } from '../../core/visible.ts'
import { CannotRun, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { isYes } from './common/is-yes.ts'
import { existingCi } from '../beginning/existing-ci.ts'
import { proposalFor, workflowFile, type Found } from '../beginning/proposal.ts'
import { toolchainsOf, type Project } from '../beginning/toolchains.ts'
import { wrongOption } from './common/wrong-option.ts'

/** Larger files tell nothing that is looked for. */
const FILE_BYTES_MAX = 1024 * 1024
const WORKFLOWS_MAX = 100
const workflowFolder = '.github/workflows'
const agentsFile = 'AGENTS.md'

export const init: CliCommand = {
  name: 'init',
  summary: 'write a policy and its workflow for this repository',
  help: `countersign init [folder] [--agents] [--requests] [--yes] [--dry-run] [--run]

Looks at a repository (npm, pnpm, yarn, bun, uv, poetry, pip, go, cargo, maven, gradle, make; the workflows that it has) and
proposes ${policyFile}, and ${workflowFile} where the policy has commands. It shows both and asks
before it writes. Files that are there stay as they are. Any folder inside the repository will do.

Jobs that your workflows already report for every pull request are adopted as checks, not run twice.

  --agents    also a paragraph for coding agents, in ${agentsFile}; at its end, where that is there
  --requests  also the issue form for requests, ${requestFormFile}
  --run       propose commands also where a workflow reports already
  --yes       write without asking
  --dry-run   only show
  --help      print this

Exit code 0: written, shown, or nothing is missing. 1: not written, since nobody said yes. 2: it could not be done.`,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign init: ${wish}. \`countersign init --help\` says what there is.`)
    return 2
  }
  try {
    return await begin(wish, io)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign init', error, false, io)
  }
}

type Wish = {
  readonly folder: string
  readonly agents: boolean
  readonly requests: boolean
  readonly yes: boolean
  readonly dryRun: boolean
  readonly run: boolean
}

function wishIn(args: readonly string[]): Wish | string {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { agents: flag, requests: flag, yes: flag, 'dry-run': flag, run: flag }
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length > 1) return 'name one folder at a time'
    const folder = resolve(positionals[0] ?? '.')
    const { agents, requests, yes, run: asCommands } = values
    return { folder, agents, requests, yes, dryRun: values['dry-run'], run: asCommands }
  } catch (error) {
    return wrongOption(error, ['agents', 'requests', 'yes', 'dry-run', 'run', 'help'])
  }
}

async function begin({ folder, agents, requests, yes, dryRun, run: asCommands }: Wish, io: Io): Promise<ExitCode> {
  const root = rootOf(folder)
  const project = projectIn(root)
  const found: Found = {
    toolchains: toolchainsOf(project),
    ci: existingCi(workflowsIn(root, project)),
    policy: project.has(policyFile) ? project.text(policyFile) : null,
  }
  io.out(`Looking at ${visible(root)}\n`)
  for (const line of seen(found)) io.out(`  ${line}`)
  const proposal = proposalFor(found, asCommands)
  if (proposal.kind === 'problems')
    throw new CannotRun(`${policyFile} is there and invalid; correct it first`, proposal.problems)
  const missing = [
    ...[...proposal.files].filter(([path]) => !project.has(path)),
    ...(requests && !project.has(requestFormFile) ? [[requestFormFile, requestFormText] as const] : []),
    ...(agents ? paragraphFor(project.text(agentsFile)) : []),
  ]
  for (const path of [policyFile, workflowFile, ...(requests ? [requestFormFile] : [])])
    if (project.has(path)) io.out(`  ${path} is there and stays as it is`)
  for (const [path, text] of missing)
    io.out(
      `\n${path}\n\n${visible(text)
        .replaceAll(/^(?=.)/gm, '    ')
        .trimEnd()}`,
    )
  if (missing.length === 0) io.out('\nNothing is missing.')
  else if (dryRun) io.out('\nNothing was written (--dry-run).')
  else if (
    !yes &&
    !(await isYes(missing.length === 1 ? 'Write this file? [y/N] ' : `Write these ${missing.length} files? [y/N] `, io))
  ) {
    io.err('Nothing was written. Say yes, or use --yes.')
    return 1
  } else for (const [path, text] of missing) await write(root, path, text, io)
  io.out(nextSteps(proposal.checks, requests))
  return 0
}

/** The folder that git begins in; `.git` is a file in a worktree. */
function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at)
      throw new CannotRun(`${folder} is in no git repository. Run this in one, or name its folder.`)
  }
}

const projectIn = (root: string): Project => ({
  has: (path) => existsSync(join(root, path)),
  text: (path) => {
    const file = join(root, path)
    return existsSync(file) && statSync(file).isFile() && statSync(file).size <= FILE_BYTES_MAX
      ? readFileSync(file, 'utf8')
      : ''
  },
})

function workflowsIn(root: string, { has, text }: Project): ReadonlyMap<string, string> {
  if (!has(workflowFolder)) return new Map()
  const names = readdirSync(join(root, workflowFolder)).filter((name) => /\.ya?ml$/.test(name))
  const others = names.filter((name) => `${workflowFolder}/${name}` !== workflowFile).slice(0, WORKFLOWS_MAX)
  return new Map(others.map((name) => [name, text(`${workflowFolder}/${name}`)]))
}

function seen({ toolchains, ci }: Found): readonly string[] {
  const tools = toolchains.map(({ name, because, checks }) => {
    const commands = checks.map(({ command }) => visible(command)).join(', ')
    return `${name} (${because}): ${commands === '' ? 'nothing that checks it' : commands}`
  })
  const jobs = ci.adoptable.map(({ job, workflow }) => `${visible(workflow)} reports \`${visible(job)}\``)
  const left = ci.left.map(({ workflow, why }) => `${visible(workflow)} is left out: ${why}`)
  const all = [...tools, ...jobs, ...left]
  return all.length > 0 ? all : ['nothing that is known here: no package, no Makefile, no workflow for pull requests']
}

/** What is to stand in the file besides what is there. */
function paragraphFor(there: string): readonly (readonly [string, string])[] {
  if (there.split('\n').some((line) => line.trim() === agentsHeading)) return []
  return [[agentsFile, there === '' ? agentsText : `${there.endsWith('\n') ? '' : '\n'}\n${agentsText}`]]
}

async function write(root: string, path: string, text: string, io: Io): Promise<void> {
  const file = join(root, path)
  try {
    await mkdir(dirname(file), { recursive: true })
    await (path === agentsFile ? appendFile(file, text) : writeFile(file, text, { flag: 'wx' }))
  } catch (error) {
    throw new CannotRun(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  io.out(`wrote ${path}`)
}

const nextSteps = (checks: readonly string[], requests: boolean): string => `
Next:
  1. Install the App on the repository.
  2. ${checks.length === 0 ? 'Add a check to the policy, then commit' : 'Commit'} what is new on a branch and open a pull request: it is judged by the policy that it brings, once an admin has said \`/ack <reason>\` there.
  3. When it is green, merge it, and require its check \`countersign\`, pinned to the App, in the rules of the default branch. GitHub offers it once it has reported.${requests ? `\n  4. Make the label that the form puts on requests: \`gh label create ${requestLabelName}\`.` : ''}`
