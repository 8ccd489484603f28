// A repository with people, an agent and a policy, on the GitHub of the tests, with the App installed.
import type { GitHub } from '../../github/github.ts'
import { z } from 'zod'
import type { Running } from './running.ts'

export const adopted = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`
/** The same by a status of the commit. */
export const byStatus = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: build, status: ci }
`
/** One more commit on the branch of a change; nobody waits until the App has heard of it. */
export const pushedOn = (github: Pick<GitHub, 'push'>, name: string, text = 'export {}\n'): string =>
  github.push(name, 'feature', { files: { 'src/more.ts': text }, author: 'agent' })

const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      app: z.object({ slug: z.string() }),
      output: z.object({ title: z.string().nullable(), summary: z.string().nullable() }),
    }),
  ),
})
const comments = z.array(z.object({ id: z.number(), body: z.string(), user: z.object({ login: z.string() }) }))

export type Shop = Awaited<ReturnType<typeof aShop>>
let shops = 0

export async function aShop(
  { github, idle }: Pick<Running, 'github' | 'idle'>,
  policy: string | null = adopted,
  more = {},
) {
  shops += 1
  const org = `acme${shops}`
  const name = `${org}/shop`
  for (const login of ['ada', 'bob', 'cleo', 'dan']) ensure(github, login)
  github.createOrg(org, ['cleo'])
  const files = { 'README.md': '# Shop\n', ...more, ...(policy === null ? {} : { '.github/countersign.yml': policy }) }
  github.createRepo(name, { files, by: 'cleo' })
  github.setPermission(name, 'ada', 'maintain')
  github.setPermission(name, 'bob', 'write')
  github.setPermission(name, 'eve', 'write')
  github.setPermission(name, 'agent', 'write')
  const installation = github.install(org)
  await idle()
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${github.url}/repos/${name}${path}`, {
      headers: { authorization: `token ${github.tokenOf('ada')}` },
    })
    return answer.json()
  }
  let commits = 0
  return {
    name,
    org,
    installation,
    github,
    read,
    push: async (
      branch = 'feature',
      author = 'agent',
      changed: Record<string, string | null> = {},
    ): Promise<string> => {
      commits += 1
      const sha = github.push(name, branch, {
        files: { 'src/shop.ts': `export const version = ${commits}\n`, ...changed },
        author,
      })
      await idle()
      return sha
    },
    open: async (
      by = 'agent',
      more: { head?: string; base?: string; body?: string; draft?: boolean } = {},
    ): Promise<number> => {
      const number = github.openPull(name, { title: 'A better shop', head: 'feature', by, ...more })
      await idle()
      return number
    },
    build: async (
      sha: string,
      conclusion: 'success' | 'failure' | 'skipped' | 'neutral' | 'cancelled',
      app = 'github-actions',
    ): Promise<number> => {
      const id = github.reportCheck(name, { name: 'build', sha, conclusion, app })
      await idle()
      return id
    },
    /** The same by the status of the commit that `byStatus` asks for. */
    passes: async (sha: string): Promise<void> => {
      github.reportStatus(name, { sha, context: 'ci', state: 'success', by: 'bob' })
      await idle()
    },
    say: async (number: number, by: string, body: string): Promise<number> => {
      const id = github.comment(name, number, { body, by })
      await idle()
      return id
    },
    review: async (
      number: number,
      by: string,
      event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT',
      body = '',
      commit?: string,
    ): Promise<number> => {
      const id = github.review(name, number, { by, event, body, ...(commit === undefined ? {} : { commit }) })
      await idle()
      return id
    },
    /** The newest run of ours on a commit: `conclusion: title`. */
    check: async (sha: string, check = 'countersign'): Promise<string> => {
      const { check_runs } = checkRuns.parse(
        await read(`/commits/${sha}/check-runs?check_name=${encodeURIComponent(check)}`),
      )
      const ours = check_runs.filter(({ app }) => app.slug === github.app.slug)
      const newest = ours.toSorted((one, other) => other.id - one.id)[0]
      return newest === undefined ? 'none' : `${newest.conclusion ?? newest.status}: ${newest.output.title ?? ''}`
    },
    /** How many runs of ours a commit ever had. */
    runs: async (sha: string): Promise<number> =>
      checkRuns.parse(await read(`/commits/${sha}/check-runs?check_name=countersign&filter=all`)).check_runs.length,
    summary: async (sha: string): Promise<string> => {
      const { check_runs } = checkRuns.parse(await read(`/commits/${sha}/check-runs?check_name=countersign`))
      return check_runs.toSorted((one, other) => other.id - one.id)[0]?.output.summary ?? ''
    },
    comments: async (number: number): Promise<string[]> =>
      comments
        .parse(await read(`/issues/${number}/comments`))
        .flatMap(({ user, body }) => (user.login === `${github.app.slug}[bot]` ? [body] : [])),
    labels: async (number: number): Promise<string[]> =>
      z
        .array(z.object({ name: z.string() }))
        .parse(await read(`/issues/${number}/labels`))
        .map(({ name }) => name)
        .sort(),
    idle,
  }
}

function ensure(github: GitHub, login: string): void {
  try {
    github.createUser(login)
  } catch {
    // Shops share their people.
  }
}
