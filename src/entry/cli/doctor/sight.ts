// With whose eyes the doctor looks: with a person's token, as the App where its credentials are here, or with neither.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Environment } from '../../../checks/runner/environment.ts'
import type { GitHubClient, Place } from '../../../adapters/github/access.ts'
import { countersignOctokit } from '../../../adapters/github/traffic/app-octokit.ts'
import { githubTraffic, tokenOctokit, type Traffic } from '../../../adapters/github/traffic/client.ts'
import { ENV_FILE, givenEnvironment } from '../../environment.ts'
import { pagesOf } from '../../github-host.ts'
import { readSettings, readToken, SettingsWrong, type Settings } from '../../wire.ts'
import { CannotRun } from '../cases/cannot-run.ts'

export type Sight = {
  readonly place: Place
  readonly settings: Settings
  /** Where people meet this GitHub. */
  readonly pages: string
  /** As the App itself; null without its credentials. */
  readonly app: GitHubClient | null
  /** As somebody with a token; null without one. */
  readonly person: GitHubClient | null
  /** As the App in an installation. */
  readonly installed: (id: number) => GitHubClient | null
  /** How far the clock of this machine is ahead of GitHub's, in seconds; null while GitHub has not said. */
  readonly skewSeconds: () => number | null
}

export function sightOf(place: Place): Sight {
  const given = givenEnvironment()
  const env = settingsIn(given)
  const settings = settingsOf(env)
  let skew: number | null = null
  const onDate: Traffic['onDate'] = (date) => {
    const told = Date.parse(date ?? '')
    if (!Number.isNaN(told)) skew = (Date.now() - told) / 1_000
  }
  const traffic = githubTraffic({ onDate })
  const { apiUrl: baseUrl, credentials } = settings
  const Client = countersignOctokit(traffic)
  const as = (more: object): GitHubClient | null => {
    if (credentials === null) return null
    const { appId, privateKey } = credentials
    return new Client({ auth: { appId, privateKey, ...more }, baseUrl })
  }
  const token = readToken(given)
  // A token goes where its own environment says, never where a file in some folder does.
  const url = settingsOf({ GITHUB_API_URL: given['GITHUB_API_URL'] }).apiUrl
  return {
    place,
    settings,
    pages: pagesOf(token === null ? baseUrl : url),
    app: as({}),
    person: token === null ? null : tokenOctokit(traffic, token, url),
    installed: (installationId) => as({ installationId }),
    skewSeconds: () => skew,
  }
}

const secrets = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET', 'ANTHROPIC_API_KEY', 'DATABASE_URL']

/**
 * The environment, or else the `.env` of this folder, never one behind the other: the folder may be a stranger's clone,
 * and an address from there must not get what is known here.
 */
function settingsIn(given: Environment): Environment {
  if (secrets.some((name) => given[name] !== undefined && given[name] !== '')) return given
  try {
    return parseEnv(readFileSync(ENV_FILE, 'utf8'))
  } catch {
    return given
  }
}

function settingsOf(env: Environment): Settings {
  try {
    return readSettings(env)
  } catch (error) {
    if (error instanceof SettingsWrong) throw new CannotRun(`the settings are wrong: ${error.message}`)
    throw error
  }
}
