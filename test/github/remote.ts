// Steers a GitHub that runs as a process of its own, with the same verbs as one in the same process; each answers
// later. Bytes travel as base64.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { GitHub, Options, Verbs } from './github.ts'

export type RemoteVerbs = {
  readonly [Name in keyof Verbs]: (...args: Parameters<Verbs[Name]>) => Promise<Awaited<ReturnType<Verbs[Name]>>>
}
export type RemoteGitHub = RemoteVerbs & Pick<GitHub, 'url' | 'app'> & { readonly close: () => Promise<void> }
type Told = Pick<GitHub, 'url' | 'app'>

/** A clock cannot be handed to another process: it runs on the wall clock. */
export async function spawnGitHub(options: Omit<Options, 'clock'> = {}): Promise<RemoteGitHub> {
  const main = new URL('main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => ['{}'])])
  const told: Told = JSON.parse(String(line))
  if (typeof told.url !== 'string') throw new Error('The GitHub of the tests ended before it listened')
  const close = async () => {
    child.stdin.end()
    await ended
  }
  return Object.assign(steer(told.url), { url: told.url, app: told.app, close })
}

/** Steers one that somebody else started. */
export function steer(url: string): RemoteVerbs {
  const verb =
    (name: string) =>
    async (...args: readonly unknown[]) => {
      const answer = await fetch(`${url}/_admin/${name}`, { method: 'POST', body: JSON.stringify(args) })
      const body: { readonly result: unknown; readonly message?: string } = JSON.parse(await answer.text())
      if (!answer.ok) throw new Error(`${name} was refused: ${body.message}`)
      return body.result
    }
  const none: RemoteVerbs = JSON.parse('{}')
  // A thing with a `then` would be taken for a promise.
  const isKnown = (known: object, name: string | symbol) => name === 'then' || Reflect.has(known, name)
  return new Proxy(none, {
    get: (known, name): unknown => (isKnown(known, name) ? Reflect.get(known, name) : verb(String(name))),
  })
}
