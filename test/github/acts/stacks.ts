// Pull requests on top of each other. Each is judged by the rules for the base of the lowest, and says so only once it was
// stacked: the news that it was opened never carries a stack.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
import type { Account, Repo, Stack } from '../model.ts'
import { Problem, refused } from '../problem.ts'
import { stackOf } from '../shapes/stack.ts'
import { pullOf, type World } from '../world.ts'
import { tellPull } from './pulls.ts'

/** From the bottom to the top. */
export function makeStack(world: World, repo: Repo, numbers: readonly number[], sender: Account): Stack {
  const pulls = numbers.map((number) => pullOf(repo, number))
  const [lowest] = pulls
  if (lowest === undefined || pulls.length < 2) throw refused('A stack takes at least two pull requests.')
  for (const [index, { pull }] of pulls.entries()) {
    const below = pulls[index - 1]
    if (below !== undefined && pull.baseRef !== below.pull.headRef) {
      throw new Problem(422, 'Each pull request must be based on the head of the one below it.')
    }
    if (pull.stack !== null) throw refused('A pull request belongs to one stack at most.')
  }
  const stack: Stack = {
    id: world.nextId(),
    number: repo.stacks.length + 1,
    baseRef: lowest.pull.baseRef,
    pulls: numbers,
    createdAt: world.now(),
  }
  repo.stacks.push(stack)
  for (const { pull } of pulls) pull.stack = stack
  for (const one of pulls) tellPull(world, repo, one, 'stacked', sender, { stack: stackOf(repo, one) })
  return stack
}

/** Its pull requests stand for themselves again; GitHub has no news of that. */
export function endStack(repo: Repo, stack: Stack): void {
  for (const number of stack.pulls) pullOf(repo, number).pull.stack = null
  repo.stacks.splice(repo.stacks.indexOf(stack), 1)
}
