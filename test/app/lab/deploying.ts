// A job that deploys waits for the App, where its owner wants that: the permission and the event are none that `app.yml` asks for.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { runningApp, type Running } from './running.ts'
import { aShop } from './shop.ts'

const asked = z.object({ default_permissions: z.record(z.string(), z.string()), default_events: z.array(z.string()) })

export async function appThatMayDeploy(): Promise<Running> {
  const { default_permissions, default_events } = asked.parse(parse(readFileSync('app.yml', 'utf8')))
  const permissions = { ...default_permissions, deployments: 'write' }
  return runningApp({ app: { permissions, events: [...default_events, 'deployment_protection_rule'] } })
}

const needsApproval = `version: 1
merge_requires: completed
identities: { agents: [agent] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`

export async function aShopThatDeploys(app: Pick<Running, 'github' | 'idle'>) {
  const { github, idle } = app
  const shop = await aShop(app, needsApproval)
  const { name } = shop
  const ask = async (run: number) => {
    github.askToDeploy(name, run, 'production', github.app.slug)
    await idle()
  }
  const deploy = async (sha: string) => {
    const run = github.startRun(name, { head: sha, branch: 'main', event: 'push' })
    await ask(run)
    const gate = () => github.deploymentGate(name, run, 'production')
    return { run, gate, said: () => `${gate()?.state ?? 'waits'}: ${gate()?.comments.at(-1) ?? 'nothing'}` }
  }
  const passes = async (number: number, sha: string): Promise<void> => {
    await shop.build(sha, 'success')
    await shop.review(number, 'bob', 'APPROVE')
  }
  const merge = async (number: number): Promise<string> => {
    const sha = github.merge(name, number, { by: 'ada' })
    await idle()
    return sha
  }
  return { shop, ask, deploy, passes, merge }
}
