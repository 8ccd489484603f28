// The file `.env`, into which the credentials go once. It is replaced as a whole, never half, and what it says already
// stays as it is.
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { renameSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

export const credentialNames = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'] as const
/** The client's two are kept for people to sign in by; GitHub tells the secret only once. */
export type Kept = Readonly<
  Record<'APP_ID' | 'PRIVATE_KEY' | 'WEBHOOK_SECRET' | 'GITHUB_CLIENT_ID' | 'GITHUB_CLIENT_SECRET', string>
>

export type EnvFile = {
  readonly path: string
  /** Those of the credentials that it holds. */
  readonly named: () => readonly string[]
  /** Throws where `keep` would. */
  readonly rehearse: () => void
  readonly keep: (values: Kept) => void
}

export function envFile(name: string): EnvFile {
  // What stands behind a link is replaced, and the link goes on leading there.
  const path = existsSync(name) ? realpathSync(name) : resolve(name)
  const named = (): readonly string[] => {
    const values = valuesIn(textOf(path))
    return credentialNames.filter((one) => (values[one] ?? '') !== '')
  }
  return {
    path,
    named,
    rehearse: () => {
      const aside = written(path, withValues(textOf(path), rehearsal))
      rmSync(aside)
    },
    keep: (values) => {
      if (named().length > 0) throw new Error(`${path} names ${named().join(' and ')} already`)
      const aside = written(path, withValues(textOf(path), values))
      try {
        renameSync(aside, path)
      } catch (error) {
        rmSync(aside)
        throw error
      }
    },
  }
}

const rehearsal: Kept = {
  APP_ID: '1',
  PRIVATE_KEY: 'a\nb',
  WEBHOOK_SECRET: 'c',
  GITHUB_CLIENT_ID: 'd',
  GITHUB_CLIENT_SECRET: 'e',
}
const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const valuesIn = (text: string): Readonly<Record<string, string | undefined>> => parseEnv(text)

/** Lines of ours that say nothing make room for those that do. */
function withValues(before: string, values: Kept): string {
  const empty =
    /^\s*(export\s+)?(APP_ID|PRIVATE_KEY|WEBHOOK_SECRET|GITHUB_CLIENT_ID|GITHUB_CLIENT_SECRET)\s*=\s*(""|'')?\s*$/
  const rest = before.split('\n').filter((line) => !empty.test(line))
  const lines = Object.entries(values).map(([name, value]) =>
    value.includes('\n') ? `${name}="${value.trim().replaceAll('\n', String.raw`\n`)}"` : `${name}=${value}`,
  )
  const head = rest.join('\n').trimEnd()
  const text = `${head === '' ? '' : `${head}\n`}${lines.join('\n')}\n`
  const read = valuesIn(text)
  const expected: Readonly<Record<string, string | undefined>> = { ...valuesIn(before), ...trimmed(values) }
  const lost = Object.keys(expected).filter((name) => read[name] !== expected[name])
  if (lost.length > 0) throw new Error(`${lost.join(' and ')} would not be read again from what the file says already`)
  return text
}

const trimmed = (values: Kept): Kept => ({ ...values, PRIVATE_KEY: values.PRIVATE_KEY.trim() })

/** Beside the file, so that it can take its place in one step; for its owner alone from the beginning. */
function written(path: string, text: string): string {
  const aside = `${path}.${randomUUID()}.new`
  const handle = openSync(aside, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(aside)
    throw error
  } finally {
    closeSync(handle)
  }
  return aside
}
