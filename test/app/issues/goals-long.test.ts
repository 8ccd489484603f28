// The long way of goals: sent back and mended, merged before it is confirmed, taken up again, given up.
import { expect, test } from 'vitest'
import { aGoal, built, goalPolicy, verified } from '../lab/a-goal.ts'
import { appOfFile } from '../lab/app-of-file.ts'

const app = await appOfFile()

test('a goal that is sent back gets the tasks that mend it, and what was verified stays so', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  await verified(shop, tasks[0] ?? 0)
  await shop.say(goal, 'ada', '/goal reject prices are rounded the wrong way\n- Round to cents\n- Test it with yen')
  expect(await shop.labels(goal)).toEqual(['countersign:goal-active', 'goal'])
  const fixes = [goal + 3, goal + 4]
  expect(await board()).toContain(`| #${fixes[0]} Round to cents | not begun |`)
  expect(await board()).toContain(`| #${fixes[1]} Test it with yen | not begun |`)
  expect(await board()).toContain('Sent back by ada:\n> prices are rounded the wrong way')
  for (const fix of fixes) await verified(shop, fix)
  expect(await board()).toContain('**Waits to be confirmed: 3 of 3 tasks verified**')
  await shop.say(goal, 'ada', '/goal verify rounded well now')
  expect(await shop.labels(goal)).toEqual(['countersign:goal-verified', 'goal'])
})

test('what is green already waits for somebody else once it is a task of a goal, and no longer once it is none', async () => {
  const { shop, goal } = await aGoal(app, [])
  const { github, name } = shop
  const task = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  const { sha } = await built(shop, task)
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.say(goal, 'ada', `/goal link #${task}`)
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.removeSubIssue(name, goal, task, 'ada')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  github.addSubIssue(name, goal, task, 'ada')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^action_required/)
  // A lead gives the goal up; anybody else who closes it finds it open again.
  github.closeIssue(name, goal, 'bob')
  await shop.idle()
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'open' })
  expect((await shop.comments(goal)).at(-1)).toContain('This goal is not verified, so it is open again')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.closeIssue(name, goal, 'ada')
  await shop.idle()
  expect(await shop.read(`/issues/${goal}`)).toMatchObject({ state: 'closed' })
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a verified goal is in work again once one of its tasks is', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'])
  const { pull } = await verified(shop, tasks[0] ?? 0)
  await shop.say(goal, 'ada', '/goal verify I looked at every price')
  expect(await shop.labels(goal)).toEqual(['countersign:goal-verified', 'goal'])
  await shop.say(pull, 'ada', '/task reopen the prices are of last year')
  expect(await shop.labels(goal)).toEqual(['countersign:goal-active', 'goal'])
  expect(await board()).toContain('**In work: 0 of 1 task verified**')
})

test('what was merged is confirmed afterwards, by somebody who did not merge it; what was closed is not', async () => {
  const { shop, goal, tasks } = await aGoal(
    app,
    ['Show prices', 'Take money'],
    `${goalPolicy}goals: { merge_requires: completed }\n`,
  )
  const { github, name } = shop
  const [prices = 0, money = 0] = tasks
  const merged = await built(shop, prices)
  await shop.review(merged.pull, 'bob', 'APPROVE')
  github.merge(name, merged.pull, { by: 'cleo' })
  const closed = await built(shop, money)
  await shop.review(closed.pull, 'bob', 'APPROVE')
  github.closePull(name, closed.pull, 'agent')
  await shop.idle()
  await shop.say(merged.pull, 'agent', '/task verify')
  await shop.say(merged.pull, 'bob', '/task verify')
  await shop.say(merged.pull, 'cleo', '/task verify')
  await shop.say(closed.pull, 'eve', '/task verify')
  const refused = [...(await shop.comments(merged.pull)), ...(await shop.comments(closed.pull))]
  expect(refused.filter((one) => one.includes('Refused')).map((one) => one.split('. ')[0])).toEqual([
    '`agent`: Refused: a machine account cannot do this',
    '`bob`: Refused: you approved this change, so somebody else must confirm it',
    '`cleo`: Refused: you merged it, so somebody else must confirm it',
    '`eve`: Refused: its pull request was closed without being merged.',
  ])
  await shop.say(merged.pull, 'eve', '/task verify I looked at every price')
  const [board = ''] = await shop.comments(goal)
  expect(board).toContain(`| #${prices} Show prices | verified | nobody: confirmed by eve |`)
  expect(board).toContain(`| #${money} Take money | approved |`)
  await shop.say(merged.pull, 'dan', '/task reject the prices are of last year')
  await shop.say(merged.pull, 'bob', '/task reopen the prices are of last year')
  await shop.say(merged.pull, 'ada', '/task reopen the prices are of last year')
  expect((await shop.comments(goal))[0]).toContain(`| #${prices} Show prices | in work |`)
})

test('a task that is sent back twice waits for a lead', async () => {
  const { shop, tasks } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  const { sha: first, pull } = await built(shop, task)
  let sha = first
  const again = async (): Promise<void> => {
    sha = await shop.push(`task-${task}`, 'agent')
    await shop.build(sha, 'success')
    await shop.review(pull, 'bob', 'APPROVE')
  }
  await shop.review(pull, 'bob', 'APPROVE')
  await shop.say(pull, 'eve', '/task reject')
  expect((await shop.comments(pull)).at(-1)).toContain('a reason is missing')
  await shop.say(pull, 'ada', '/task accept it will do')
  expect((await shop.comments(pull)).at(-1)).toContain('it was not sent back twice')
  await shop.say(pull, 'eve', '/task reject prices are rounded the wrong way')
  expect(await shop.check(sha)).toMatch(/^failure: .*rejected by eve/)
  await again()
  await shop.say(pull, 'eve', '/task reject still wrong')
  expect(await shop.labels(pull)).toContain('countersign:escalated')
  expect((await shop.comments(pull)).at(-1)).toMatch(
    /^@ada: `acme\d+\/shop#\d+` was sent back twice, the last time by eve/,
  )
  await again()
  await shop.say(pull, 'eve', '/task verify')
  expect((await shop.comments(pull)).at(-1)).toContain('a lead decides first')
  await shop.say(pull, 'bob', '/task accept it will do')
  expect((await shop.comments(pull)).at(-1)).toContain('you are not in `roles.lead`')
  await shop.say(pull, 'ada', '/task reassign @dan')
  await shop.say(pull, 'eve', '/task verify rounded well')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.labels(pull)).not.toContain('countersign:escalated')
})

test('a lead who takes the label away gives the goal up; anybody else finds it back', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'])
  const { github, name } = shop
  const { sha } = await built(shop, tasks[0] ?? 0)
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.unlabel(name, goal, 'goal', 'bob')
  await shop.idle()
  expect(await shop.labels(goal)).toContain('goal')
  expect((await shop.comments(goal)).at(-1)).toContain('This goal is not verified, so it is open again')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.unlabel(name, goal, 'goal', 'ada')
  await shop.idle()
  expect(await shop.labels(goal)).not.toContain('goal')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what is said of a task at its issue counts as if it were said at its pull request, and is answered there', async () => {
  const { shop, tasks, board } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  await shop.say(task, 'eve', '/task verify')
  expect((await shop.comments(task)).at(-1)).toContain('there is none yet')
  const { sha, pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  await shop.say(task, 'bob', '/task verify')
  expect((await shop.comments(task)).at(-1)).toContain('you approved this change, so somebody else must confirm it')
  await shop.say(task, 'eve', '/task verify I looked at three books')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await board()).toContain('confirmed by eve')
})

test('a task that was sent back twice is split into parts, which it waits for', async () => {
  const { shop, tasks, board } = await aGoal(app, ['Show prices'])
  const [task = 0] = tasks
  const { sha: first, pull } = await built(shop, task)
  let sha = first
  for (const why of ['rounded the wrong way', 'still wrong']) {
    await shop.review(pull, 'bob', 'APPROVE')
    await shop.say(pull, 'eve', `/task reject ${why}`)
    sha = await shop.push(`task-${task}`, 'agent')
    await shop.build(sha, 'success')
  }
  await shop.say(pull, 'ada', '/task split')
  expect((await shop.comments(pull)).at(-1)).toContain('name the parts, each as a line of a list below the command')
  await shop.say(pull, 'bob', '/task split\n- Round to cents')
  expect((await shop.comments(pull)).at(-1)).toContain('you are not in `roles.lead`')
  // Who answers the first question late shall not make the second part the first.
  shop.github.addFault({ method: 'GET', path: '/repos/*/issues', times: 1, trouble: { kind: 'delay', ms: 300 } })
  await shop.say(pull, 'ada', '/task split\n- Round to cents\n- Test it with yen')
  const parts = [pull + 1, pull + 2]
  expect(await board()).toContain(`| #${parts[0]} Round to cents | not begun |`)
  expect(await board()).toContain(`| #${parts[1]} Test it with yen | not begun |`)
  expect(await shop.check(sha)).toMatch(/Waiting: .*has to be verified first/)
  expect(await shop.labels(pull)).not.toContain('countersign:escalated')
  await verified(shop, parts[0] ?? 0)
  expect(await shop.check(sha)).toBe(
    `in_progress: Waiting: \`${shop.name}#${parts[1]}\` has to be verified first: Test it with yen`,
  )
})
