// What is loaded into a process of the App before anything else: a clock that somebody sets while it runs, and that it lives
// for seconds only.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const jumpingClock = pathToFileURL(join(import.meta.dirname, 'jumping-clock.js')).href
export const unoptimised = pathToFileURL(join(import.meta.dirname, '../../unoptimised.js')).href
