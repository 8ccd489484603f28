// A clock that somebody sets while the App runs.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** To be loaded into a process before anything else. */
export const jumpingClock = pathToFileURL(join(import.meta.dirname, 'jumping-clock.js')).href
