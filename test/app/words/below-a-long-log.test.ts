// A no below a log that is longer than what is read of a comment: whoever said it learns that it was not taken.
import { expect, test } from 'vitest'
import { LINES_MAX } from '../../../src/core/people/spoken-lines.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const below = (command: string, lines: number): string =>
  `It fails:\n\n\`\`\`\n${'at shop.ts\n'.repeat(lines)}\`\`\`\n\n${command} it does not start`

test('at a pull request', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  await shop.say(pull, 'bob', below('/reject', LINES_MAX))
  expect(await shop.comments(pull)).toEqual([expect.stringContaining('`/reject` in it was not taken')])
  await shop.say(pull, 'bob', below('/reject', 1000))
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

test('at an issue, where it is for us', async () => {
  const shop = await aShop(app)
  const issue = app.github.openIssue(shop.name, { title: 'Show prices', body: 'Soon', by: 'dan' })
  await shop.say(issue, 'bob', below('/reject', LINES_MAX))
  expect(await shop.comments(issue)).toEqual([])
  await shop.say(issue, 'bob', below('/task reject', LINES_MAX))
  expect(await shop.comments(issue)).toEqual([expect.stringContaining('`/task` in it was not taken')])
})
