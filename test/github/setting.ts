// What the tests of this GitHub share: one with a repository in it and an App that listens, and clients that act as
// one person or as the App.
import { createAppAuth } from '@octokit/auth-app'
import { Octokit } from '@octokit/rest'
import { onTestFinished } from 'vitest'
import { watchedGitHub } from '../openapi/watched.ts'
import { anEar } from './ear.ts'
import type { Options } from './github.ts'
import { makeKeyPair } from './world.ts'

export const shop = { owner: 'acme', repo: 'shop' }
export const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

// Making a key takes longer than most tests.
const { privateKey } = makeKeyPair()

/** A GitHub whose organisation `acme` has the repository `shop`, with the App installed and listening. */
export async function aGitHub(options: Options = {}) {
  const ear = await anEar('hush')
  const app = { slug: 'gate', webhookSecret: 'hush', webhookUrl: ear.url, privateKey, ...options.app }
  const github = await watchedGitHub({ ...options, app }, ['answer'])
  onTestFinished(async () => {
    ear.close()
    await github.close()
  })
  github.createOrg('acme', ['olga'])
  github.createRepo('acme/shop', { files: { 'README.md': 'A shop.\n' }, by: 'olga' })
  for (const [login, role] of [
    ['ada', 'maintain'],
    ['bob', 'write'],
    ['tia', 'triage'],
    ['rae', 'read'],
  ] as const) {
    github.setPermission('acme/shop', login, role)
  }
  const installation = github.install('acme')
  await github.idle()
  ear.heard.length = 0
  return {
    github,
    installation,
    heard: ear.heard,
    answers: ear.answers,
    /** Acts as a person. */
    as: (login: string): Octokit => new Octokit({ baseUrl: github.url, auth: github.tokenOf(login), log: quiet }),
    /** Acts as the App where it is installed. */
    asApp: (): Octokit => new Octokit({ baseUrl: github.url, auth: github.installationToken('acme/shop'), log: quiet }),
    /** Acts as the App itself, by JWT. */
    asAppItself: (): Octokit =>
      new Octokit({
        baseUrl: github.url,
        authStrategy: createAppAuth,
        auth: { appId: github.app.id, privateKey: github.app.privateKey, installationId: installation },
        log: quiet,
      }),
    /** What the App heard, once all is said: `event.action`. */
    news: async (): Promise<readonly string[]> => {
      await github.idle()
      return ear.heard.map(({ event, action }) => (action === null ? event : `${event}.${action}`))
    },
    /** Forgets what was heard so far. */
    hush: async (): Promise<void> => {
      await github.idle()
      ear.heard.length = 0
    },
    /** A pull request by ada, from a branch of the same repository. */
    aPull: (files: Record<string, string> = { 'src/a.ts': 'one\n' }, branch = 'feature') => {
      const head = github.push('acme/shop', branch, { files, author: 'ada' })
      return { number: github.openPull('acme/shop', { title: 'One', head: branch, by: 'ada' }), head }
    },
  }
}

export type Setting = Awaited<ReturnType<typeof aGitHub>>

/** The status with which a call was refused, and GitHub's words. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? String(error.status) : 'no status'
    return `${status} ${error instanceof Error ? error.message : ''}`
  }
  throw new Error('The call was not refused')
}
