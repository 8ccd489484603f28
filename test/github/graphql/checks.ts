// Check suites of a commit and the runs in them, as GraphQL filters and shows them.
// https://docs.github.com/en/graphql/reference/input-objects#checkrunfilter
import { number, record, text, texts, type Fields } from '../fields.ts'
import type { CheckRun, CheckSuite } from '../checks-model.ts'
import type { Repo } from '../model.ts'
import { nodeId } from '../shapes/account.ts'
import { connection } from './connection.ts'

export function checkSuites(repo: Repo, sha: string, args: Fields) {
  const filter = record(args, 'filterBy') ?? {}
  const app = number(filter, 'appId')
  const suites = [...repo.suites.values()].filter((one) => one.headSha === sha && (app === null || one.app.id === app))
  return connection(
    suites.map((one) => suite(repo, one)),
    args,
  )
}

const failures: readonly (string | null)[] = ['failure', 'timed_out', 'action_required', 'cancelled', 'stale']

/** The newest run of each name and each status in one word; null where there are none. */
export function rollup(repo: Repo, sha: string): object | null {
  const newest = new Map((repo.checksBySha.get(sha) ?? []).map((run) => [`${run.suite.id} ${run.name}`, run]))
  const statuses = new Map((repo.statuses.get(sha) ?? []).map((one) => [one.context, one.state]))
  const all = [...Array.from(newest.values(), wordOf), ...statuses.values()]
  if (all.length === 0) return null
  const state = ['error', 'failure', 'pending'].find((word) => all.some((one) => one === word)) ?? 'success'
  return { __typename: 'StatusCheckRollup', state: state.toUpperCase() }
}

const wordOf = ({ status, conclusion }: CheckRun): string =>
  status !== 'completed' ? 'pending' : failures.includes(conclusion) ? 'failure' : 'success'

const suite = (repo: Repo, one: CheckSuite) => ({
  __typename: 'CheckSuite',
  id: nodeId('CS', one.id),
  databaseId: one.id,
  status: one.status.toUpperCase(),
  conclusion: one.conclusion?.toUpperCase() ?? null,
  checkRuns: (args: Fields) => {
    const runs = (repo.checksBySha.get(one.headSha) ?? []).filter((run) => run.suite === one)
    return connection(filtered(runs, record(args, 'filterBy') ?? {}).map(runNode), args)
  },
})

function filtered(runs: readonly CheckRun[], filter: Fields): readonly CheckRun[] {
  const [name, app] = [text(filter, 'checkName'), number(filter, 'appId')]
  const statuses = texts(filter, 'statuses')
  const newest = [...new Map(runs.map((run) => [run.name, run])).values()]
  return (text(filter, 'checkType') === 'LATEST' ? newest : runs).filter(
    (run) =>
      (name === null || run.name === name) &&
      (app === null || run.suite.app.id === app) &&
      (statuses === null || statuses.includes(run.status.toUpperCase())),
  )
}

export const runNode = (run: CheckRun) => ({
  __typename: 'CheckRun',
  id: nodeId('CR', run.id),
  databaseId: run.id,
  name: run.name,
  status: run.status.toUpperCase(),
  conclusion: run.conclusion?.toUpperCase() ?? null,
  externalId: run.externalId,
  title: run.title,
})
