// The App as a process, from the environment to a graceful stop.
import { StoreLocked } from '../../adapters/store/embedded/lock.ts'
import { StoreUnusable } from '../../adapters/store/unusable.ts'
import { processEnvironment } from '../environment.ts'
import { readSettings, SettingsWrong } from '../wire.ts'
import { startApp, type App } from './start-app.ts'
import { startRegistration } from './registration/registration.ts'

/** What a container has to end, after which it is killed. */
const STOP_MS_MAX = 9_000

export async function serve(): Promise<void> {
  try {
    await begin()
  } catch (error) {
    // What the machine refuses, such as a port in use, is told in a line; anything else is a fault with its stack.
    const refused =
      error instanceof Error && ('code' in error || (error.cause instanceof Error && 'code' in error.cause))
    const told = [SettingsWrong, StoreLocked, StoreUnusable].some((kind) => error instanceof kind)
    console.error(error instanceof Error && (told || refused) ? `countersign: ${error.message}` : error)
    process.exit(1)
  }
}

async function begin(): Promise<void> {
  const settings = readSettings(processEnvironment())
  let app: App | null = null
  let stopping = false
  const stop = (): void => {
    // Before it has begun there is nothing to end.
    if (app === null) process.exit(0)
    if (stopping) process.exit(1)
    stopping = true
    // A database that does not answer keeps nobody from ending; what is cut off is taken up at the next start.
    setTimeout(() => process.exit(0), STOP_MS_MAX).unref()
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  app =
    settings.credentials === null ? await startRegistration(settings) : await startApp(settings, settings.credentials)
}
