// GitHub gives the credentials of a new App for a code, once.
// https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest
import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { pagesOf } from '../../github-host.ts'
import type { Kept } from './env-file.ts'

const ANSWER_MS_MAX = 30_000
const conversion = z.object({
  id: z.int().positive(),
  pem: z.string().refine(isKey),
  webhook_secret: z.string().regex(/^[!-~]+$/),
  html_url: z.string(),
  client_id: z.string().regex(/^[!-~]+$/),
  client_secret: z.string().regex(/^[!-~]+$/),
})

export type Converted = {
  readonly kept: Kept
  /** The page of the App at GitHub; null where the answer names none there. */
  readonly page: string | null
}

export async function credentialsFor(apiUrl: string, code: string): Promise<Converted> {
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: 'POST',
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': 'countersign',
      'x-github-api-version': '2022-11-28',
    },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch((cause: unknown) => {
    throw new Error(`GitHub does not answer at ${apiUrl}: begin again`, { cause })
  })
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to the registration: begin again`)
  const read = conversion.safeParse(await answer.json().catch(() => null))
  if (!read.success) throw new Error('GitHub’s answer holds no credentials: delete the App at GitHub, and begin again')
  const { id, pem, webhook_secret, html_url, client_id, client_secret } = read.data
  const isTheirs = URL.canParse(html_url) && new URL(html_url).origin === pagesOf(apiUrl)
  return {
    kept: {
      APP_ID: String(id),
      PRIVATE_KEY: pem,
      WEBHOOK_SECRET: webhook_secret,
      GITHUB_CLIENT_ID: client_id,
      GITHUB_CLIENT_SECRET: client_secret,
    },
    page: isTheirs ? html_url : null,
  }
}

function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private'
  } catch {
    return false
  }
}
