// `countersign doctor`: looks at everything that the gate rests on and that nobody is told of when it is not there, says of
// each how it stands and what mends it, and mends some of it when asked to.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { GitHubClient, Place } from '../../../adapters/github/access.ts'
import { policyFile } from '../../../core/contract/scope.ts'
import { wordsOf } from '../../../core/error-words.ts'
import { visible } from '../../../core/visible.ts'
import { workflowFile } from '../../beginning/proposal.ts'
import { CannotRun, tellProblems } from '../cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from '../common/cli-command.ts'
import { isYes } from '../common/is-yes.ts'
import { originHere } from '../common/origin-here.ts'
import { wrongOption } from '../common/wrong-option.ts'
import { lookAtApp } from './app.ts'
import { looked, unknown, type Finding, type State } from './finding.ts'
import { checkRequired, filesMissing, type Mending } from './fix.ts'
import { clockOf, databaseOf, modelOf } from './machine.ts'
import { artifactsKept, policyOn, workflowsOn } from './repository.ts'
import { hasQueue, requirementOf, sideDoors, type Branch } from './rules.ts'
import { sightOf, type Sight } from './sight.ts'

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'look at everything that the gate rests on, and say what mends it',
  help: `countersign doctor [owner/repo] [--json] [--fix [--yes]]

Looks at the App (credentials, permissions and events against app.yml, installation, webhooks that did not arrive), the
repository (the check required and pinned, who may go around it, policy, workflow, triggers, artifacts) and the machine (clock,
database, model). Without a name it is the repository that \`origin\` of this clone names.

The repository is looked at with GH_TOKEN or GITHUB_TOKEN, or else as the App; the App where its credentials are, in the
environment or in the .env of this folder. What cannot be looked at is unknown, which is never ok.

  --fix    open a pull request with the files that are missing, or require the check by a ruleset; asks first
  --yes    do so without asking
  --json   print { "repository", "findings": [{ "about", "state", "why", "mend" }], "done" }
  --help   print this

Exit code 0: nothing is wrong, nothing unknown. 1: something is. 2: it could not look.`,
  run,
}

type Wish = { readonly repository: string | null; readonly json: boolean; readonly fix: boolean; readonly yes: boolean }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign doctor: ${wish}. \`countersign doctor --help\` says what there is.`)
    return 2
  }
  try {
    return await examine(wish, io)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign doctor', error, wish.json, io)
  }
}

function wishIn(args: readonly string[]): Wish | string {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { json: flag, fix: flag, yes: flag }
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length > 1) return 'name one repository at a time'
    if (values.yes && !values.fix) return '--yes is for --fix'
    return { repository: positionals[0] ?? null, ...values }
  } catch (error) {
    return wrongOption(error, ['json', 'fix', 'yes', 'help'])
  }
}

async function examine({ repository, json, fix, yes }: Wish, io: Io): Promise<ExitCode> {
  const place = placeOf(repository ?? originHere())
  const sight = sightOf(place)
  const { findings, mendings } = await everything(sight)
  if (!json) io.out(table(place, findings))
  const done: string[] = []
  for (const { words, mend } of fix ? mendings : []) {
    if (!yes && !(await isYes(`${words[0]?.toUpperCase() ?? ''}${words.slice(1)}? [y/N] `, io))) continue
    const what = await mend().catch((error: unknown) => {
      throw new CannotRun(`could not ${words}: ${wordsOf(error)}. It takes a token that may write there.`)
    })
    done.push(what)
    if (!json) io.out(what)
  }
  if (!json && fix && mendings.length === 0) io.out('There is nothing that --fix could mend.')
  if (json) io.out(JSON.stringify({ repository: `${place.owner}/${place.repo}`, findings, done }, null, 2))
  return findings.every(({ state }) => state === 'ok' || state === 'warning') ? 0 : 1
}

type Looked = { readonly findings: readonly Finding[]; readonly mendings: readonly Mending[] }

async function everything(sight: Sight): Promise<Looked> {
  const { findings: ofApp, self } = await lookAtApp(sight)
  const octokit = sight.person ?? (self?.installation ? sight.installed(self.installation) : null)
  const there = octokit === null ? notThere() : await lookAtRepository(sight, octokit, self)
  const database = await databaseOf(sight)
  const model = await looked('model', () => modelOf(sight, there.policy))
  return { findings: [...ofApp, ...there.findings, clockOf(sight), ...database, ...model], mendings: there.mendings }
}

type There = Looked & { readonly policy: Parameters<typeof modelOf>[1] }

const ofRepository = ['required check', 'side doors', 'policy', 'workflow', 'artifacts']
const unseen =
  'nobody lets us see the repository: set GITHUB_TOKEN, or install the App there and run this where its .env is'
const notThere = (why = unseen): There => ({
  findings: ofRepository.map((about) => unknown(about, why)),
  mendings: [],
  policy: null,
})

async function lookAtRepository(
  { person, pages, place }: Sight,
  octokit: GitHubClient,
  self: Parameters<typeof requirementOf>[1],
): Promise<There> {
  const isPerson = person !== null
  let branch: string
  let isAdmin = false
  try {
    const { data } = await octokit.rest.repos.get({ ...place })
    branch = data.default_branch
    isAdmin = isPerson && data.permissions?.admin === true
  } catch (error) {
    return notThere(`the repository cannot be seen: ${wordsOf(error)}`)
  }
  const at: Branch = { octokit, place, branch, pages }
  const required = await requirementOf(at, self).catch((error: unknown) => ({
    finding: unknown('required check', `it could not be looked at: ${wordsOf(error)}`),
    isMet: true,
  }))
  const ruled = await policyOn(at).catch((error: unknown) => ({
    finding: unknown('policy', `it could not be looked at: ${wordsOf(error)}`),
    governed: null,
    isMissing: false,
  }))
  let isWorkflowMissing = ruled.isMissing
  const workflows = await looked('workflow', async () => {
    if (ruled.governed === null) return unknown('workflow', 'what it has to run is not known without a policy')
    const found = await workflowsOn(at, ruled.governed, await hasQueue(at))
    isWorkflowMissing = found.isMissing
    return found.findings
  })
  const lacking = [...(ruled.isMissing ? [policyFile] : []), ...(isWorkflowMissing ? [workflowFile] : [])]
  const files = isPerson && lacking.length > 0 ? await filesMissing(at, lacking) : null
  // A check that nobody can pass yet is not required yet.
  const rule = isPerson && !required.isMet && self !== null && !ruled.isMissing ? [checkRequired(at, self.id)] : []
  return {
    findings: [
      required.finding,
      ...(await sideDoors(at, isAdmin)),
      ruled.finding,
      ...workflows,
      ...(await artifactsKept(at, isAdmin)),
    ],
    mendings: [...(files === null ? [] : [files]), ...rule],
    policy: ruled.governed?.policy ?? null,
  }
}

const fullName = z.string().regex(/^[\w.-]+\/[\w.-]+$/)

function placeOf(name: string | null): Place {
  const read = fullName.safeParse(name)
  if (name === null)
    throw new CannotRun('name the repository, as `countersign doctor owner/repo`, or run this in a clone of it')
  if (!read.success) throw new CannotRun(`\`${visible(name)}\` is no repository. Name it as owner/repo.`)
  const [owner = '', repo = ''] = read.data.split('/')
  return { owner, repo }
}

const signs = { ok: 'ok', warning: 'warning', wrong: 'wrong', unknown: 'unknown' } as const satisfies Record<
  State,
  string
>

function table({ owner, repo }: Place, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length))
  const lines = findings.flatMap(({ about, state, why, mend }) => [
    `${signs[state].padEnd(7)}  ${about.padEnd(width)}  ${visible(why)}`,
    ...(mend === null ? [] : [`${' '.repeat(width + 11)}${visible(mend)}`]),
  ])
  const count = (state: State): string => `${findings.filter((one) => one.state === state).length} ${signs[state]}`
  return [
    `${owner}/${repo}`,
    '',
    ...lines,
    '',
    `${(['wrong', 'unknown', 'warning', 'ok'] as const).map(count).join(', ')}.`,
  ].join('\n')
}
