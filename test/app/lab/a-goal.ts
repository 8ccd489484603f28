// A goal in a shop: an issue that a lead made one, with tasks that an agent builds, bob approves and eve confirms.
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'

export const goalPolicy = `version: 1
identities: { agents: [agent] }
roles: { lead: [ada] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`

export async function aGoal(app: Pick<Running, 'github' | 'idle'>, titles: readonly string[], policy = goalPolicy) {
  const shop = await aShop(app, policy)
  const { github, name } = shop
  const goal = github.openIssue(name, { title: 'A shop that sells', by: 'bob' })
  github.label(name, goal, 'goal', 'ada')
  const tasks = titles.map((title) => github.openIssue(name, { title, by: 'bob' }))
  for (const task of tasks) github.addSubIssue(name, goal, task, 'bob')
  await shop.idle()
  return { shop, goal, tasks, board: async () => (await shop.comments(goal))[0] ?? '' }
}

/** The agent builds a task, and its build passes. */
export async function built(shop: Shop, task: number) {
  const branch = `task-${task}`
  const sha = await shop.push(branch, 'agent', { [`src/${branch}.ts`]: `export const task = ${task}\n` })
  const pull = await shop.open('agent', { head: branch, body: `Closes #${task}` })
  await shop.build(sha, 'success')
  return { sha, pull }
}

/** Built, approved by bob, confirmed by eve. */
export async function verified(shop: Shop, task: number) {
  const { sha, pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  await shop.say(pull, 'eve', '/task verify I clicked through it')
  return { sha, pull }
}
