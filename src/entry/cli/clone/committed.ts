// What is committed in a clone since its branch left its base, with the policy that governs it and what the built-in checks
// say of it. Nothing that the clone brings is run, and git fetches nothing.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { alteredFiles } from '../../../checks/checkout/altered.ts'
import { openClone, type Clone } from '../../../checks/checkout/clone.ts'
import { commitWorkspace, entriesOf } from '../../../checks/checkout/commit-workspace.ts'
import { ask, changeBetween, type Change, type Git } from '../../../checks/checkout/git.ts'
import { python } from '../../../checks/checkout/python.ts'
import type { Tier1Report } from '../../../checks/tier1/report.ts'
import { oneLine, someOf } from '../../../checks/tier1/one-line.ts'
import { tier1 } from '../../../checks/tier1/tier1.ts'
import type { Workspace } from '../../../checks/tier1/workspace.ts'
import type { Policy } from '../../../core/contract/policy/policy.ts'
import { readPolicy } from '../../../core/contract/policy/read-policy.ts'
import { policyFile } from '../../../core/contract/scope.ts'
import type { ChangedFile } from '../../../core/decision/model.ts'
import { wordsOf } from '../../../core/error-words.ts'
import { givenEnvironment } from '../../environment.ts'
import { CannotRun, readText } from '../cases/cannot-run.ts'
import { noOption, wrongOption } from '../common/wrong-option.ts'

export type Where = {
  readonly folder: string
  readonly base: string | null
  /** Another policy than that of the base. */
  readonly policy: string | null
}
export type Wish = Where & {
  readonly json: boolean
  readonly review: boolean
  /** A file with what the task asks. */
  readonly task: string | null
}
export type Subject = { readonly base: string; readonly fork: string; readonly head: string }
export type Committed = {
  readonly root: string
  readonly subject: Subject
  readonly policy: Policy
  readonly files: readonly ChangedFile[]
  readonly patches: Change['patches']
  readonly report: Tier1Report
  /** The files of the head, for as long as this is used. */
  readonly workspace: Workspace
  /** What the commits since the branch left its base say of themselves. */
  readonly messages: string
}

const UNCOMMITTED_NAMES_MAX = 5

/** What is asked for, or what is wrong with how it was asked. `reviews`: whether an AI review is part of it. */
export function wishIn(args: readonly string[], reviews = false): Wish | string {
  const word = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const known = ['base', 'policy', 'json', 'help', ...(reviews ? ['no-review', 'task'] : [])]
  try {
    const options = { base: word, policy: word, json: flag, 'no-review': flag, task: word } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { base = null, policy = null, json, task = null, 'no-review': alone } = values
    if (!reviews && (alone || task !== null)) return noOption(alone ? '--no-review' : '--task', known)
    if (base === '' || base?.startsWith('-') === true) return '--base needs a branch or a commit'
    const [folder = '.', ...more] = positionals
    if (more.length > 0) return 'name one folder at a time'
    return { folder, base, policy, json, task, review: reviews && !alone }
  } catch (error) {
    return wrongOption(error, known)
  }
}

export async function onCommitted<T>(where: Where, use: (committed: Committed) => Promise<T>): Promise<T> {
  const clone = await openClone(where.folder, givenEnvironment())
  if (clone === null) {
    throw new CannotRun(`there is no clone at ${resolve(where.folder)}. Run this in a clone, or name one.`)
  }
  const { git, root } = clone
  const interpreter = python(clone)
  try {
    const subject = await subjectOf(where, clone)
    const policy = await policyOf(where, subject, git)
    const { files, patches } = await changeBetween(git, subject.fork, subject.head).catch(notWhole)
    const workspace = commitWorkspace(git, await entriesOf(git, subject.head).catch(notWhole), interpreter.parse)
    const report = await tier1(files, workspace, policy.verification.tier1, { patches })
    const messages = (await ask(git, 'log', '--reverse', '--format=%B', `${subject.fork}..${subject.head}`)) ?? ''
    return await use({ root, subject, policy, files, patches, report, workspace, messages })
  } finally {
    interpreter.end()
    await clone.close()
  }
}

async function subjectOf({ base: asked }: Where, clone: Clone): Promise<Subject> {
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

async function policyOf({ policy: file }: Where, { base }: Subject, git: Git): Promise<Policy> {
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
