// The App for as long as somebody wants it. Whatever it remembers of a database that was set back is worth nothing: the process
// is kept, and all that is in it begins anew.
import type { Credentials, Settings } from '../wire.ts'
import { beginApp, type Own } from './app.ts'

export type App = { readonly url: string; readonly stop: () => Promise<void> }

export async function startApp(settings: Settings, credentials: Credentials, own: Own = {}): Promise<App> {
  let app = await beginApp(settings, credentials, own, null)
  let changing: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const change = async (since: string): Promise<void> => {
    await app.stop()
    app = await beginApp(settings, credentials, own, since)
  }
  const last = async (): Promise<void> => {
    for (;;) {
      const since = await app.setBack
      if (ending.signal.aborted) return
      changing = change(since)
      await changing
    }
  }
  // Where it cannot begin anew there is nothing left to do here: that ends the process, as it does at the start.
  void last()
  return {
    url: app.url,
    stop: async () => {
      ending.abort()
      await changing
      await app.stop()
    },
  }
}
