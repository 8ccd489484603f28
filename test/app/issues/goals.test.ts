// Goals: an issue above tasks, from the label to the word of a lead that the whole works.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aGoal, built, goalPolicy, verified } from '../lab/a-goal.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()

test('a goal is done once its tasks are verified, the default branch is green and a lead says so', async () => {
  const { shop, goal, tasks, board } = await aGoal(
    app,
    ['Show prices', 'Take money'],
    `${goalPolicy}goals: { integration_checks: [e2e] }\n`,
  )
  const [prices = 0, money = 0] = tasks
  expect(await shop.labels(goal)).toEqual(['countersign:goal-open', 'goal'])
  expect(await board()).toContain('**Not begun: 0 of 2 tasks verified**')
  expect(await board()).toContain(`| #${prices} Show prices | not begun | somebody to take it up |`)

  const first = await built(shop, prices)
  expect(await shop.labels(goal)).toEqual(['countersign:goal-active', 'goal'])
  // Tasks of a goal wait for somebody who confirms them, although the policy asks nothing of the kind.
  expect(await shop.check(first.sha)).toMatch(/^action_required: .*approv/)
  await shop.review(first.pull, 'bob', 'APPROVE')
  expect(await shop.check(first.sha)).toMatch(/^action_required: .*confirm/)
  expect(await board()).toContain(`| approved | somebody else to confirm it in #${first.pull}: \`/task verify\` |`)
  await shop.say(first.pull, 'eve', '/task verify I clicked through it')
  expect(await shop.check(first.sha)).toMatch(/^success/)
  expect(await board()).toContain('**In work: 1 of 2 tasks verified**')

  await shop.say(goal, 'ada', '/goal verify all of it works')
  expect((await shop.comments(goal)).at(-1)).toContain('it cannot go from active to verified')
  await verified(shop, money)
  expect(await shop.labels(goal)).toEqual(['countersign:goal-pending-verify', 'goal'])
  expect(await board()).toContain('Now ada tries the whole')

  // Whoever is no lead, a machine, empty words and a red default branch confirm nothing.
  await shop.say(goal, 'bob', '/goal verify all of it works')
  expect((await shop.comments(goal)).at(-1)).toContain('you are not in `roles.lead`. Who may: ada')
  await shop.say(goal, 'ada', '/goal verify')
  expect((await shop.comments(goal)).at(-1)).toContain('say what was tried')
  await shop.say(goal, 'ada', '/goal verify I bought a book')
  expect((await shop.comments(goal)).at(-1)).toContain('not green on the default branch: e2e (not reported)')
  const head = app.github.reportCheck(shop.name, {
    name: 'e2e',
    sha: 'main',
    conclusion: 'success',
    app: 'github-actions',
  })
  expect(head).toBeGreaterThan(0)
  await shop.say(goal, 'ada', '/goal verify I bought a book')
  expect(await shop.labels(goal)).toEqual(['countersign:goal-verified', 'goal'])
  expect(await board()).toMatch(
    /\*\*Verified: confirmed by ada\*\*\n\n> I bought a book\n- e2e: success on `[0-9a-f]{7}`/,
  )
})

test('tasks are linked and let go by a lead, or by hand; what is no task is refused in words', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  const { github, name } = shop
  const [prices = 0] = tasks
  const other = github.openIssue(name, { title: 'Take money', by: 'bob' })
  const second = github.openIssue(name, { title: 'Another goal', by: 'bob' })
  github.label(name, second, 'goal', 'ada')
  await shop.say(goal, 'ada', `/goal link #${other}`)
  expect(await board()).toContain(`| #${other} Take money | not begun |`)
  await shop.say(goal, 'bob', `/goal unlink #${other}`)
  await shop.say(goal, 'ada', `/goal link #${second}`)
  await shop.say(goal, 'ada', '/goal link #999')
  await shop.say(goal, 'ada', '/goal link the other one')
  await shop.say(second, 'ada', `/goal link #${prices}`)
  expect((await shop.comments(goal)).slice(1)).toEqual([
    '`bob`: Refused: you are not in `roles.lead`. Who may: ada.',
    `#${second} could not be linked or unlinked: it is a goal, and goals have no goals in them`,
    '#999 could not be linked or unlinked: there is no such issue',
    '`ada`: Refused: name the issue, as in `/goal link #12`.',
  ])
  expect((await shop.comments(second)).at(-1)).toContain('It may have another parent')
  await shop.say(goal, 'ada', `/goal unlink #${other}`)
  github.removeSubIssue(name, goal, prices, 'bob')
  await shop.idle()
  expect(await board()).toContain('It has no tasks yet')
})

test('a goal is opened by leads alone, by label or by words, and once', async () => {
  const shop = await aShop(app, goalPolicy)
  const { github, name } = shop
  const issue = github.openIssue(name, { title: 'A shop', by: 'bob' })
  github.label(name, issue, 'goal', 'bob')
  await shop.idle()
  expect(await shop.comments(issue)).toEqual([
    'A goal is opened by a lead (ada), who puts the label `goal` on its issue or writes `/goal create <title>`.',
  ])
  await shop.say(issue, 'dan', '/goal create of a stranger')
  await shop.say(issue, 'bob', '/goal create of a writer')
  await shop.say(issue, 'ada', '/goal verify')
  await shop.say(issue, 'ada', '/label bug')
  expect((await shop.comments(issue)).slice(1)).toEqual([
    'A goal is opened by a lead (ada), who puts the label `goal` on its issue or writes `/goal create <title>`.',
    '`/goal verify` is said at the issue of a goal, and this is none. A lead makes it one with the label `goal`.',
  ])
  await shop.say(issue, 'ada', '/goal create A shop that sells')
  expect((await shop.comments(issue)).at(-1)).toBe('#2')
  expect(await shop.labels(2)).toEqual(['countersign:goal-open', 'goal'])
})
