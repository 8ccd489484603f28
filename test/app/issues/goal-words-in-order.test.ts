// Words at a goal count in the order in which they were written, not in the one in which the App heard of them.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aGoal, goalPolicy, verified } from '../lab/a-goal.ts'
import { changesIn } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { heardLate } = changesIn(app)
const policy = goalPolicy.replace('lead: [ada]', 'lead: [ada, cleo]')
const isVerified = 'countersign:goal-verified'

test('a goal that was sent back, which nobody told of, is not confirmed by another who has not seen it', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'], policy)
  await verified(shop, tasks[0] ?? 0)
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, goal, { body: '/goal reject the receipt is wrong\n- Mend it', by: 'ada' }),
  )
  aMinuteLater()
  await shop.say(goal, 'cleo', '/goal verify I bought a book')
  expect((await shop.comments(goal)).at(-1)).toContain('`cleo`: Refused: it cannot go from active to verified')
  const before = await shop.comments(goal)
  await late()
  expect(await shop.comments(goal)).toEqual(before)
  expect(await shop.labels(goal)).not.toContain(isVerified)
  expect(await board()).toContain('Mend it')
})

test('a goal is not confirmed by what was said of an earlier delivery', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'], policy)
  await verified(shop, tasks[0] ?? 0)
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, goal, { body: '/goal verify I bought a book', by: 'ada' }),
  )
  aMinuteLater()
  await shop.say(goal, 'cleo', '/goal reject the receipt is wrong\n- Mend the receipt')
  const fix = Number(/\| #(\d+) Mend the receipt/.exec(await board())?.[1])
  aMinuteLater()
  await verified(shop, fix)
  await late()
  expect(await shop.labels(goal)).toContain('countersign:goal-pending-verify')
  expect((await shop.comments(goal)).at(-1)).toContain('`ada`: Refused: more has come since you wrote')
  // A no of now is one, although somebody has confirmed the same before.
  await shop.say(goal, 'ada', '/goal verify I bought two')
  expect(await shop.labels(goal)).toContain(isVerified)
  await shop.say(goal, 'cleo', '/goal reject the second receipt is wrong')
  expect(await shop.labels(goal)).toContain('countersign:goal-active')
})

test('a goal is not confirmed by what was said before its last task was, heard afterwards', async () => {
  const { shop, goal, tasks } = await aGoal(app, ['Show prices'], policy)
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, goal, { body: '/goal verify I bought a book', by: 'ada' }),
  )
  aMinuteLater()
  await verified(shop, tasks[0] ?? 0)
  await late()
  expect(await shop.labels(goal)).toContain('countersign:goal-pending-verify')
})

test('a task that was let go and linked again stays linked, whichever is heard first', async () => {
  const { shop, goal, tasks, board } = await aGoal(app, ['Show prices'], policy)
  const [task = 0] = tasks
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, goal, { body: `/goal unlink #${task}`, by: 'ada' }),
  )
  aMinuteLater()
  await shop.say(goal, 'cleo', `/goal link #${task}`)
  await late()
  expect(await board()).toContain(`| #${task} Show prices |`)
})
