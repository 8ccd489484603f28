// `countersign simulate`: what a policy would have decided over the pull requests of the past, from the record of the App or
// as GitHub still has them.
import { parseArgs } from 'node:util'
import { digest } from '../../core/canonical.ts'
import type { Policy } from '../../core/contract/policy/policy.ts'
import { readPolicy } from '../../core/contract/policy/read-policy.ts'
import { policyFile } from '../../core/contract/scope.ts'
import { underPolicy } from '../../core/simulation/another-policy.ts'
import { visible } from '../../core/visible.ts'
import { counted, differs, sayCounted, step, why, type SimulatedRow } from '../../core/words/simulation.ts'
import { givenEnvironment } from '../environment.ts'
import { RECORDS_MAX } from '../operations.ts'
import { namesStore, readSettings, readToken } from '../wire.ts'
import { CannotRun, readText, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { operate } from './common/operator.ts'
import { originHere } from './common/origin-here.ts'
import { wrongOption } from './common/wrong-option.ts'

const LAST = 50

const help = `countersign simulate [owner/repo] [--policy <file>] [--last <n>] [--from record|github] [--json]

Judges the newest pull requests again, by the policy in ${policyFile} or in another file, and says which decisions
differ and why. Nothing is written anywhere, and no model is asked.

  --policy  the policy to judge by
  --last    how many, ${LAST} by default, ${RECORDS_MAX} at most
  --from    record: what the App recorded, in the store that DATABASE_URL or DATA_DIR name. It is told again as it was, so
            that it is compared with what was decided then.
            github: the last commit of each pull request, with its files, people, checks, reviews and comments as GitHub
            has them, read with GH_TOKEN or GITHUB_TOKEN. It is compared with what the policy of the default branch
            says of them. Built-in checks are not repeated there, and whoever opened and wrote a change counts as its pusher.
            Without it: the record where a store is named, else GitHub.
  --json    print { repository, from, policy_hash, same, differ, unknown, pulls } for programs
  --help    print this

What nobody can know is taken as passed, and named: a check that nobody asked for then, an AI review that was not made.

Exit code 0: nothing differs. 1: something does. 2: it could not be found out.`

export const simulate: CliCommand = {
  name: 'simulate',
  summary: 'what a policy would have decided over the pull requests of the past',
  help,
  run,
}

type Wish = {
  readonly repository: string
  readonly file: string
  readonly last: number
  readonly from: 'record' | 'github'
  readonly json: boolean
}
type Row = SimulatedRow & { readonly head_sha: string; readonly state: 'open' | 'closed' | 'merged' | null }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const wish = wishIn(args)
    const text = await readText(wish.file, 'Name one with --policy, or run this in the root of the repository.')
    const reading = readPolicy(text, wish.file)
    if (!reading.ok) throw new CannotRun(`${wish.file} is invalid`, reading.problems)
    const { policy } = reading
    if (policy.mode === 'off') throw new CannotRun(`${wish.file} says \`mode: off\`: it decides nothing`)
    if (wish.from === 'github') return tell(wish, policy, await fromGitHub(wish, text, io), io)
    return await operate('countersign simulate', io, async (operations) => {
      const records = await operations.records(wish.repository, wish.last)
      for (const { unread } of records)
        if (unread !== null) io.err(`Left out, since it cannot be read: ${visible(unread)}`)
      const rows = records.flatMap(({ task_id, events }) => underPolicy(task_id, events, policy).map(ofRecord))
      if (rows.length === 0) throw new CannotRun(`nothing is recorded about ${wish.repository}`)
      return tell(wish, policy, rows, io)
    })
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign simulate', error, args.includes('--json'), io)
  }
}

const ofRecord = ({ merged, ...row }: ReturnType<typeof underPolicy>[number]): Row => ({
  ...row,
  state: merged ? 'merged' : null,
})

function wishIn(args: readonly string[]): Wish {
  const { values, positionals } = optionsOf(args)
  const [named, ...more] = positionals
  if (more.length > 0) throw new CannotRun('name one repository at a time')
  const repository = named ?? originHere()
  if (repository === null || !/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new CannotRun(
      named === undefined ? 'there is no clone here: name owner/repo' : `\`${visible(named)}\` is no owner/repo`,
    )
  const last = Number(values.last ?? LAST)
  if (!Number.isInteger(last) || last < 1 || last > RECORDS_MAX)
    throw new CannotRun(`--last takes a number from 1 to ${RECORDS_MAX}`)
  const from = values.from ?? (namesStore(givenEnvironment()) ? 'record' : 'github')
  if (from !== 'record' && from !== 'github') throw new CannotRun('--from takes `record` or `github`')
  return { repository, file: values.policy ?? policyFile, last, from, json: values.json }
}

function optionsOf(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const options = { json: { type: 'boolean', default: false }, policy: text, last: text, from: text } as const
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CannotRun(wrongOption(error, ['policy', 'last', 'from', 'json', 'help']))
  }
}

/** Under the policy of the default branch first, so that what differs is the policy and nothing else. */
async function fromGitHub({ repository: name, last }: Wish, text: string, io: Io): Promise<readonly Row[]> {
  const env = givenEnvironment()
  const token = readToken(env)
  if (token === null) throw new CannotRun('GitHub is read with a token: set GITHUB_TOKEN, or DATABASE_URL for a record')
  const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
  const { policyTexts } = await import('../../adapters/github/files/policy-file.ts')
  const { judgedBy, pastPulls } = await import('../simulate/past-pulls.ts')
  const octokit = tokenOctokit(githubTraffic(), token, readSettings({ GITHUB_API_URL: env['GITHUB_API_URL'] }).apiUrl)
  const [owner = '', repo = ''] = name.split('/')
  const place = { owner, repo }
  const { data } = await octokit.rest.repos.get(place).catch((error: unknown) => {
    throw new CannotRun(`GitHub does not show ${name} to this token (${String(error)})`)
  })
  const access = { octokit, place, slug: '', app: null, now: Date.now }
  const { own: standing } = await policyTexts(access, data.default_branch, async () => null)
  const pulls = await pastPulls(octokit, place, last)
  if (pulls.length === 0) throw new CannotRun(`${name} has no pull requests`)
  const compares = standing !== null && readPolicy(standing, policyFile).ok && standing !== text
  const total = pulls.length * (compares ? 2 : 1)
  let done = 0
  const onJudged = (): void => {
    done += 1
    if (done % 10 === 0 || done === total) io.err(`${done} of ${total} judged`)
  }
  const asked = { octokit, place, repository: { key: `R${data.id}`, full_name: name }, onJudged }
  const then = compares ? await judgedBy(pulls, { ...asked, policy: standing }) : null
  const now = await judgedBy(pulls, { ...asked, policy: text })
  return pulls.flatMap(({ number, head_sha, state }) => {
    const judged = now.get(number)
    if (!judged) return []
    const earlier = then === null && standing === text ? judged : then?.get(number)
    return [
      {
        pull: number,
        head_sha,
        state,
        before: earlier?.outcome ?? null,
        after: judged.outcome,
        unknown: judged.unknown,
      },
    ]
  })
}

function tell({ repository, from, json, file }: Wish, policy: Policy, rows: readonly Row[], io: Io): ExitCode {
  const counts = counted(rows)
  if (json) io.out(JSON.stringify({ repository, from, policy_hash: digest(policy), ...counts, pulls: rows }, null, 2))
  else io.out(table(repository, file, rows))
  return counts.differ === 0 ? 0 : 1
}

function table(repository: string, file: string, rows: readonly Row[]): string {
  const steps = rows.map(step)
  const width = Math.max(...steps.map((text) => text.length))
  const pulls = rows.map(({ pull, state }) => `#${pull}${state === null ? '' : ` ${state}`}`)
  const wide = Math.max(...pulls.map((text) => text.length))
  const lines = rows.map((row, at) => {
    const mark = differs(row) ? '*' : ' '
    return `${mark} ${(pulls[at] ?? '').padEnd(wide)}  ${(steps[at] ?? '').padEnd(width)}  ${visible(why(row))}`
  })
  const count = `${rows.length} pull ${rows.length === 1 ? 'request' : 'requests'}`
  return [
    `${count} of ${repository}, judged again by ${visible(file)}`,
    '',
    ...lines,
    '',
    sayCounted(counted(rows)),
  ].join('\n')
}
