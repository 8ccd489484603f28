// The environment, checked: no other file knows its names. A value that is wrong or missing is named with what to write
// instead.
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../checks/runner/environment.ts'
import { apiMeant } from './github-host.ts'
import { ANSWER_DAYS } from '../core/decision/examined.ts'
import { wordsOf } from '../core/error-words.ts'

export type Credentials = { readonly appId: number; readonly privateKey: string; readonly webhookSecret: string }
/** The model that judges, and where it is reached. */
export type ModelSettings = { readonly apiKey: string; readonly baseUrl: string }
/** Days after which closed tasks move to the archive and raw answers of models go; null for never. */
export type Keeping = {
  readonly archiveDays: number | null
  readonly answerDays: number | null
  /** Null where nobody said which. */
  readonly archiveDir: string | null
}
export type Settings = {
  /** Null while the App is not registered yet. */
  readonly credentials: Credentials | null
  readonly apiUrl: string
  readonly host: string
  readonly port: number
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly keeping: Keeping
  /** Null without a key. */
  readonly model: ModelSettings | null
  /** What verifications of an installation may cost in a day; null without a limit. */
  readonly usdPerDay: number | null
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
}

const blank = (value: unknown): unknown => (value === '' ? undefined : value)
const hasNoName = (url: string): boolean => (URL.parse(url)?.username ?? '') === ''
const text = z.preprocess(blank, z.string().optional())

/**
 * As the driver reads it: a URL, in which a socket may take the place of the host, or the path of a socket. What is neither would be
 * waited for like a server that does not answer.
 */
function namesServer(given: string): boolean {
  const url = given.replace('@/', '@socket/')
  return given.startsWith('/') || (URL.canParse(url) && /^(?:postgres|postgresql|socket):$/.test(new URL(url).protocol))
}
const noServer =
  'must be the address of one Postgres server, such as postgres://user:password@host:5432/database; ' +
  'signs like @ and / in the password are written as %40 and %2F'

const days = (min: number) =>
  z.preprocess(
    blank,
    z.coerce
      .number({ error: 'must be a number of days' })
      .int('must be a whole number of days')
      .min(min, `must be at least ${min} days, or left out to keep everything`)
      .optional(),
  )

const environment = z.object({
  APP_ID: z.preprocess(
    blank,
    z
      .string()
      .trim()
      .regex(/^[1-9]\d{0,14}$/, {
        error:
          'must be the number that the settings page of the GitHub App calls App ID, not its name or its client ID',
      })
      .transform(Number)
      .optional(),
  ),
  PRIVATE_KEY: text,
  PRIVATE_KEY_PATH: text,
  WEBHOOK_SECRET: text,
  GITHUB_API_URL: z.preprocess(
    blank,
    z
      .url({ protocol: /^https?$/, error: 'must be a URL, such as https://api.github.com' })
      .refine(hasNoName, { error: 'must be a URL without a name and a password in it' })
      .superRefine((url, context) => {
        const meant = apiMeant(url)
        if (meant !== null) context.addIssue(`must be the address of the API: ${meant}`)
      })
      .default('https://api.github.com'),
  ),
  HOST: z.preprocess(blank, z.string().default('127.0.0.1')),
  PORT: z.preprocess(blank, z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535).default(3000)),
  DATABASE_URL: z.preprocess(blank, z.string().refine(namesServer, { error: noServer }).optional()),
  DATA_DIR: z.preprocess(blank, z.string().default('.countersign')),
  ARCHIVE_AFTER_DAYS: days(1),
  ARCHIVE_DIR: text,
  // Younger ones are used again instead of being paid for again.
  FORGET_ANSWERS_AFTER_DAYS: days(ANSWER_DAYS),
  ANTHROPIC_API_KEY: z.preprocess(
    blank,
    // It travels in a header, and a key with anything else in it was copied wrongly.
    z
      .string()
      .regex(/^[!-~]+$/, { error: 'must be the bare key, without spaces and line breaks' })
      .optional(),
  ),
  MODEL_BASE_URL: z.preprocess(
    blank,
    z
      .url({ protocol: /^https?$/, error: 'must be a URL, such as https://api.anthropic.com' })
      .default('https://api.anthropic.com'),
  ),
  VERIFIER_USD_PER_DAY: z.preprocess(
    blank,
    z.coerce
      .number({ error: 'must be a number of dollars' })
      .positive('must be above zero, or left out for no limit')
      .optional(),
  ),
  LOG_LEVEL: z.preprocess(blank, z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info')),
})

/** The token of whoever calls a command, under the names that GitHub's own tools read; null without one. */
export const readToken = (env: Environment): string | null => env['GH_TOKEN'] || env['GITHUB_TOKEN'] || null

/** The address of the App, for commands of people and agents who do not run it; null where nobody says. */
export const readApp = (env: Environment): string | null => env['COUNTERSIGN_URL'] || null

/** Whether somebody says where the store is. */
export const namesStore = (env: Environment): boolean => Boolean(env['DATABASE_URL'] || env['DATA_DIR'])

export class SettingsWrong extends Error {
  override readonly name = 'SettingsWrong'
}

export function readSettings(env: Environment): Settings {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    throw new SettingsWrong(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'))
  }
  const { APP_ID, WEBHOOK_SECRET, GITHUB_API_URL, HOST, PORT, DATABASE_URL, DATA_DIR, LOG_LEVEL } = parsed.data
  const { ANTHROPIC_API_KEY: apiKey, MODEL_BASE_URL } = parsed.data
  const privateKey = keyOf(parsed.data)
  const given = { APP_ID, 'PRIVATE_KEY or PRIVATE_KEY_PATH': privateKey, WEBHOOK_SECRET }
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length > 0 && missing.length < 3) {
    throw new SettingsWrong(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing. The App needs all three of ${Object.keys(given).join(', ')}.`,
    )
  }
  const complete = APP_ID !== undefined && privateKey !== undefined && WEBHOOK_SECRET !== undefined
  return {
    credentials: complete ? { appId: APP_ID, privateKey, webhookSecret: WEBHOOK_SECRET } : null,
    apiUrl: GITHUB_API_URL.replace(/\/$/, ''),
    model: apiKey === undefined ? null : { apiKey, baseUrl: MODEL_BASE_URL.replace(/\/$/, '') },
    usdPerDay: parsed.data.VERIFIER_USD_PER_DAY ?? null,
    host: HOST,
    port: PORT,
    databaseUrl: DATABASE_URL ?? null,
    dataDir: DATA_DIR,
    keeping: keepingOf(parsed.data),
    logLevel: LOG_LEVEL,
  }
}

type Kept = Pick<
  z.output<typeof environment>,
  'ARCHIVE_AFTER_DAYS' | 'ARCHIVE_DIR' | 'FORGET_ANSWERS_AFTER_DAYS' | 'DATABASE_URL' | 'DATA_DIR'
>

/** What is archived is not changed any more, so that answers go before. Several processes have to find the same files. */
function keepingOf({ DATABASE_URL, DATA_DIR, ARCHIVE_DIR, ...kept }: Kept): Keeping {
  const archiveDays = kept.ARCHIVE_AFTER_DAYS ?? null
  const answerDays = kept.FORGET_ANSWERS_AFTER_DAYS ?? null
  if (archiveDays !== null && answerDays !== null && answerDays > archiveDays) {
    throw new SettingsWrong(
      'FORGET_ANSWERS_AFTER_DAYS must not be more than ARCHIVE_AFTER_DAYS: files of the archive are never changed',
    )
  }
  const archiveDir = ARCHIVE_DIR ?? (DATABASE_URL === undefined ? join(DATA_DIR, 'archive') : null)
  if (archiveDays !== null && archiveDir === null) {
    throw new SettingsWrong(
      'ARCHIVE_DIR is missing. With DATABASE_URL, ARCHIVE_AFTER_DAYS needs a directory that every process on that database reaches.',
    )
  }
  return { archiveDays, answerDays, archiveDir }
}

type Keys = Pick<z.output<typeof environment>, 'PRIVATE_KEY' | 'PRIVATE_KEY_PATH'>

/** A key in one line has its line breaks written out or is base64, since not every host takes several lines. */
function keyOf({ PRIVATE_KEY, PRIVATE_KEY_PATH }: Keys): string | undefined {
  if (PRIVATE_KEY !== undefined) {
    const key = PRIVATE_KEY.includes('BEGIN') ? PRIVATE_KEY : Buffer.from(PRIVATE_KEY, 'base64').toString('utf8')
    return checkedKey(key.replaceAll(String.raw`\n`, '\n'), 'PRIVATE_KEY is')
  }
  if (PRIVATE_KEY_PATH === undefined) return undefined
  return checkedKey(keyFile(PRIVATE_KEY_PATH), `PRIVATE_KEY_PATH names ${PRIVATE_KEY_PATH}, which is`)
}

function keyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new SettingsWrong(`PRIVATE_KEY_PATH names ${path}, which cannot be read: ${wordsOf(error)}`)
  }
}

/** What is wrong with it is not told in the words of the library, which might quote it. */
function checkedKey(pem: string, subject: string): string {
  const type = keyType(pem)
  if (type === 'rsa') return pem
  throw new SettingsWrong(
    type === null
      ? `${subject} not a private key in PEM form. It is the whole file that GitHub gave for the App, from -----BEGIN to -----END.`
      : `${subject} a key of another kind (${type}). GitHub gives Apps RSA keys.`,
  )
}

function keyType(pem: string): string | null {
  try {
    return createPrivateKey(pem).asymmetricKeyType ?? null
  } catch {
    return null
  }
}
