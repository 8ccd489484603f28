// Whoever makes a change can name anybody as co-author. That keeps them from allowing it, and not from saying no.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test.each([
  ['by `/reject`', '/reject'],
  ['by a review', ''],
])('a no of somebody whom the change names as co-author, %s', async (_, words) => {
  const shop = await aShop(app, adopted)
  const message = 'A better shop\n\nCo-authored-by: Bob <bob@users.noreply.github.com>'
  const sha = github.push(shop.name, 'feature', { files: { 'src/a.ts': 'a\n' }, author: 'agent', message })
  await app.idle()
  const number = await shop.open()
  await aSecond()
  if (words === '') await shop.review(number, 'bob', 'REQUEST_CHANGES', 'I did not write this, and it is wrong')
  else await shop.say(number, 'bob', `${words} I did not write this, and it is wrong`)
  await aSecond()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).not.toMatch(/^success/)
})
