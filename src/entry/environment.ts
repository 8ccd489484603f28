// Where settings come from, before anything is made of them. It needs no package, so that whoever starts a process can
// ask it before the first one is loaded.
import { existsSync } from 'node:fs'
import type { Environment } from '../checks/runner/environment.ts'

/** In the directory that the process runs in. */
export const ENV_FILE = '.env'

/** The environment of this process, with the values of a `.env` file behind it. */
export function processEnvironment(): Environment {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
  return process.env
}

/** Without `.env`: in a clone it may be a stranger's. */
export const givenEnvironment = (): Environment => process.env
