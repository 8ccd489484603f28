// What a browser does when somebody registers the App.
import { afterAll, beforeEach, onTestFinished } from 'vitest'
import { watchedGitHub } from '../../openapi/watched.ts'
import { aHome, spawnApp, type Spawned } from './spawned.ts'

/** A GitHub for the tests of a file, and Apps that nobody has registered there yet. */
export async function registry() {
  const github = await watchedGitHub()
  afterAll(() => github.close())
  beforeEach(() => github.clearLog())
  return {
    github,
    conversions: (): number => github.requestLog().filter(({ path }) => path.startsWith('/app-manifests/')).length,
    unregistered: async (cwd = aHome(), apiUrl = github.url): Promise<Spawned & { readonly cwd: string }> => {
      const app = await spawnApp({ GITHUB_API_URL: apiUrl }, cwd)
      onTestFinished(async () => void (await app.end('SIGTERM')))
      return { ...app, cwd }
    },
  }
}

export type Answer = { readonly status: number; readonly text: string; readonly headers: Headers }

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  return { status: answer.status, text: unescaped(await answer.text()), headers: answer.headers }
}

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

export const tokenOf = ({ output }: Spawned): string => /\/\?token=([\w-]{43}) /.exec(output())?.[1] ?? ''

/** Sends the first form. */
export const fill = (app: Spawned, fields: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const all = { token: tokenOf(app), address: 'https://gate.acme.com', back: app.url, organization: '', ...fields }
  return ask(`${app.url}/`, { method: 'POST', body: new URLSearchParams(all) })
}

export const stateIn = ({ text }: Answer): string => /\/settings\/apps\/new\?state=([\w-]+)"/.exec(text)?.[1] ?? ''
export const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

/** As GitHub sends the browser back. */
export const comeBack = (app: Spawned, { code, state, cookie }: { code: string; state: string; cookie: string }) =>
  ask(`${app.url}/registered?code=${code}&state=${state}`, { headers: { cookie } })
