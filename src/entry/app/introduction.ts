// At the start GitHub is asked whether it knows the App by its credentials, since a wrong one would otherwise show only in
// webhooks that nobody handles; and whether the App may do and hears what `app.yml` asks for.
// https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app
import { setTimeout as delay } from 'node:timers/promises'
import type { OwnApp } from './clients.ts'
import { SettingsWrong } from '../wire.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { wordsOf } from '../../core/error-words.ts'

type Asked = { readonly appId: number; readonly apiUrl: string }
type Log = { readonly warn: (facts: object, words: string) => void }

/** Who does not answer at once is not waited for: what arrives is kept until GitHub can be reached. */
const ANSWER_MS_MAX = 5_000

/** Throws where GitHub says no. */
export async function introduce(ask: () => Promise<OwnApp>, asked: Asked, log: Log): Promise<void> {
  const answer = await Promise.race([
    ask().then(
      (told) => ({ told }),
      (error: unknown) => ({ error }),
    ),
    delay(ANSWER_MS_MAX, { error: new Error(`no answer within ${ANSWER_MS_MAX / 1000} seconds`) }, { ref: false }),
  ])
  if ('error' in answer) {
    refuseNo(answer.error, asked)
    return log.warn({ why: wordsOf(answer.error), github: asked.apiUrl }, unheard)
  }
  const lacking = lackingIn(answer.told, readManifest())
  if (lacking.permissions.length + lacking.events.length > 0) log.warn(lacking, incomplete)
}

const unheard = 'GitHub could not be asked whether it knows this App; what arrives is kept until it answers'
const incomplete =
  'this App may not do or does not hear all that app.yml asks for: add it on its settings page, and accept it in each installation'

function refuseNo(error: unknown, { appId, apiUrl }: Asked): void {
  const status = error instanceof Error && 'status' in error ? error.status : null
  const said = `it says: ${wordsOf(error)}`
  if (status === 401) {
    throw new SettingsWrong(
      `GitHub at ${apiUrl} does not take PRIVATE_KEY for a key of App ${appId} (${said}). ` +
        'Make a new key on the settings page of the App and set PRIVATE_KEY to it; see there too whether APP_ID is right, and whether the clock of this machine is.',
    )
  }
  if (status === 404) {
    throw new SettingsWrong(
      `GitHub at ${apiUrl} knows no App ${appId} (${said}). ` +
        'Set APP_ID to what the settings page of the App calls App ID, and GITHUB_API_URL to the GitHub where that page is.',
    )
  }
}

type Has = { readonly permissions: Readonly<Record<string, string>>; readonly events: readonly string[] }
const rank: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 }

/** What an App, or an installation of one, lacks of what is asked for. */
export function lackingIn(has: Has, asks: Manifest): { permissions: string[]; events: string[] } {
  const short = ([name, level]: [string, string]): boolean =>
    (rank[has.permissions[name] ?? ''] ?? 0) < (rank[level] ?? 0)
  return {
    permissions: Object.entries(asks.default_permissions)
      .filter(short)
      .map(([name, level]) => `${name}: ${level}`),
    events: asks.default_events.filter((event) => !has.events.includes(event)),
  }
}
