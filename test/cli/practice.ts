// A GitHub with repositories for `countersign doctor`, and the doctor as a process that looks at them.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { appAt } from '../app/lab/running.ts'
import { watchedGitHub } from '../openapi/watched.ts'
import { countersign } from './cli.ts'

export const policyFile = '.github/countersign.yml'
export const policy = 'verification: { checks: [npm test], verifier: { enabled: false } }\n'
export const answer = z.object({
  repository: z.string(),
  findings: z.array(z.object({ about: z.string(), state: z.string(), why: z.string(), mend: z.string().nullable() })),
  done: z.array(z.string()),
})

export type Env = Readonly<Record<string, string>>
/** Whatever the machine of the tests has of these is none of theirs. */
export const nothing = {
  GH_TOKEN: '',
  GITHUB_TOKEN: '',
  APP_ID: '',
  PRIVATE_KEY: '',
  WEBHOOK_SECRET: '',
  ANTHROPIC_API_KEY: '',
  DATABASE_URL: '',
}
export const only = (told: Record<string, string>, names: readonly string[]) => names.map((name) => told[name])

export async function aPractice() {
  const github = await watchedGitHub({ app: appAt(1) })
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-doctor-'))
  afterAll(() => github.close())

  let shops = 0
  function aShop(files: Readonly<Record<string, string>> = {}, installed = true): string {
    shops += 1
    const org = `acme${shops}`
    github.createOrg(org, ['cleo'])
    github.createRepo(`${org}/shop`, { files: { 'README.md': '# Shop\n', ...files }, by: 'cleo' })
    if (installed) github.install(org)
    return `${org}/shop`
  }

  const asApp = () => ({
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
  })
  const asPerson = (): Env => ({ GH_TOKEN: github.tokenOf('cleo') })
  const asBoth = (): Env => ({ ...asPerson(), ...asApp() })

  const doctor = (args: readonly string[], env: Env, options: { input?: string; cwd?: string } = {}) =>
    countersign(['doctor', ...args], { cwd, ...options, env: { ...nothing, GITHUB_API_URL: github.url, ...env } })

  /** Each finding in a line, but for the machine's, which no GitHub tells. */
  async function findings(
    shop: string,
    env: Env = asBoth(),
    more: readonly string[] = [],
  ): Promise<Record<string, string>> {
    const { out } = await doctor([shop, '--json', ...more], env)
    const told = answer.parse(JSON.parse(out)).findings
    return Object.fromEntries(told.map(({ about, state, why }) => [about, `${state}: ${why}`]))
  }

  return { github, cwd, aShop, asApp, asPerson, asBoth, doctor, findings }
}
