// What a browser does when somebody registers the App.
import type { Spawned } from './spawned.ts'

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
