// The environment of the Action, read in this one place: what the runner says of the run, and the rest for whoever must
// choose what a check may see. Inputs are read by the toolkit.
import { z } from 'zod'
import type { Environment } from '../src/checks/runner/environment.ts'

const text = z.string().min(1)
const runner = z.object({
  GITHUB_EVENT_NAME: text,
  GITHUB_EVENT_PATH: text,
  GITHUB_REPOSITORY: text.regex(/^[^/]+\/[^/]+$/),
  GITHUB_WORKSPACE: text,
  GITHUB_RUN_ID: z.coerce.number().int().min(0),
  GITHUB_RUN_ATTEMPT: z.coerce.number().int().min(0).default(1),
  /** `owner/repo/.github/workflows/ci.yml@refs/heads/main` */
  GITHUB_WORKFLOW_REF: text,
  GITHUB_API_URL: z.url().default('https://api.github.com'),
  GITHUB_SERVER_URL: z.url().default('https://github.com'),
})

const commandFiles = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY']

export type Runner = {
  readonly event: string
  readonly eventPath: string
  readonly repository: string
  readonly workspace: string
  readonly run: { readonly id: number; readonly attempt: number; readonly workflow: string }
  /** The workflow is one of another repository, such as an organisation requires of all: no change here can edit it. */
  readonly isImposed: boolean
  readonly apiUrl: string
  readonly serverUrl: string
  /** Where a step writes what the runner should know. */
  readonly commandFiles: readonly string[]
  /** Everything, for those who choose from it. */
  readonly environment: Environment
}

export function readRunner(): Runner {
  const { env } = process
  const parsed = runner.safeParse(env)
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
    throw new Error(`This runs as a GitHub Action; the runner did not say ${names} as it should.`)
  }
  const { data } = parsed
  const [path = ''] = data.GITHUB_WORKFLOW_REF.split('@')
  return {
    event: data.GITHUB_EVENT_NAME,
    eventPath: data.GITHUB_EVENT_PATH,
    repository: data.GITHUB_REPOSITORY,
    workspace: data.GITHUB_WORKSPACE,
    run: {
      id: data.GITHUB_RUN_ID,
      attempt: data.GITHUB_RUN_ATTEMPT,
      workflow: path.split('/').slice(2).join('/'),
    },
    isImposed: path.split('/').slice(0, 2).join('/').toLowerCase() !== data.GITHUB_REPOSITORY.toLowerCase(),
    apiUrl: data.GITHUB_API_URL,
    serverUrl: data.GITHUB_SERVER_URL,
    commandFiles: commandFiles.flatMap((name) => (env[name] === undefined || env[name] === '' ? [] : [env[name]])),
    environment: env,
  }
}
