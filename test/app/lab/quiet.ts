// A GitHub that keeps its webhooks to itself, so that a test brings those that it wants when it wants.
import type { GitHub } from '../../github/github.ts'
import { watchedGitHub } from '../../openapi/watched.ts'

export const environmentOf = ({
  app: { id, privateKey, webhookSecret },
  url,
}: Pick<GitHub, 'app' | 'url'>): Record<string, string> => ({
  APP_ID: String(id),
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: webhookSecret,
  GITHUB_API_URL: url,
  LOG_LEVEL: 'info',
})

export async function aQuietGitHub(): Promise<GitHub> {
  const webhookUrl = 'http://127.0.0.1:9/'
  const github = await watchedGitHub({ app: { slug: 'countersign', webhookSecret: 'it is a secret', webhookUrl } })
  github.setDeliveries({ hold: true })
  github.createRepo('acme/shop', {
    files: { '.github/countersign.yml': 'verification: { checks: [{ name: build, check_run: build }] }\n' },
  })
  github.install('acme')
  return github
}

export function aPullRequest(github: GitHub, branch: string): { sha: string; body: string } {
  const sha = github.push('acme/shop', branch, { files: { [`${branch}.ts`]: 'one\n' }, author: 'agent' })
  github.openPull('acme/shop', { title: 'One', head: branch, by: 'agent' })
  const opened = github.deliveries().findLast(({ event }) => event === 'pull_request')
  return { sha, body: JSON.stringify(github.payloadOf(opened?.id ?? 0)) }
}
