// Which pull request a command is about: the one that it names, or the one of the branch that is checked out here.
import { visible } from '../../core/visible.ts'
import type { Environment } from '../../checks/runner/environment.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'
import { branchHere, originHere } from '../cli/common/origin-here.ts'
import { readSettings, readToken } from '../wire.ts'
import { pullNamed, type PullNamed } from './pull-named.ts'

export async function pullMeant(names: readonly string[], env: Environment): Promise<PullNamed> {
  const [name, ...more] = names
  if (more.length > 0) throw new CannotRun('name one pull request')
  return name === undefined ? pullHere(env) : pullNamed(name)
}

async function pullHere(env: Environment): Promise<PullNamed> {
  const [origin, branch, token] = [originHere(), branchHere(), readToken(env)]
  if (origin === null || branch === null)
    throw new CannotRun('no branch of a clone is checked out here: name a pull request')
  if (token === null)
    throw new CannotRun('name a pull request, or set GITHUB_TOKEN, with which that of this branch is found')
  const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
  const octokit = tokenOctokit(githubTraffic(), token, readSettings(env).apiUrl)
  const placeOf = (repository: string) => {
    const [owner = '', repo = ''] = repository.split('/')
    return { owner, repo }
  }
  const head = `${placeOf(origin).owner}:${branch}`
  const openAt = async (repository: string): Promise<readonly PullNamed[]> => {
    const { data } = await octokit.rest.pulls.list({ ...placeOf(repository), head, state: 'open' })
    return data.map(({ number }) => ({ repository, number }))
  }
  try {
    const own = await openAt(origin)
    // Who works in a fork opens their pull requests where it was forked from.
    const parent = own.length > 0 ? undefined : (await octokit.rest.repos.get(placeOf(origin))).data.parent?.full_name
    const found = parent === undefined ? own : await openAt(parent)
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) return only
    const many = found.map(({ repository, number }) => `${repository}#${number}`).join(', ')
    const why = only === undefined ? 'has no open pull request' : `has several (${many})`
    throw new CannotRun(`the branch \`${visible(branch)}\` of ${origin} ${why}: name one`)
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw new CannotRun(`GitHub does not show the pull requests of ${origin} to this token (${String(error)})`)
  }
}
