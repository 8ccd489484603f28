// GitHub tells us of the labels that we set, too. These are nobody's words and are not put in line; those of others are.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
/** What our answer was to each webhook about a label after so many. */
const answersAfter = (count: number): readonly string[] =>
  github
    .deliveries()
    .slice(count)
    .filter(({ action }) => action === 'labeled' || action === 'unlabeled')
    .map(({ response }) => response.trim())

test('our own labels are acknowledged and not kept, those of people are', async () => {
  const shop = await aShop(app)
  const told = github.deliveries().length
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await app.idle()
  expect(github.look(shop.name, number).labels).toEqual(['countersign:success'])
  expect(new Set(answersAfter(told))).toEqual(new Set(['ignored']))
  // Somebody takes it away: it stands there again.
  github.unlabel(shop.name, number, 'countersign:success', 'ada')
  await app.idle()
  expect(answersAfter(told)).toContain('stored')
  expect(github.look(shop.name, number).labels).toEqual(['countersign:success'])
})
