// A pull request that ended and began again within a moment, told in the other order: it is judged, and nobody waits for a round.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { changesIn, type Change } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, heardLate } = changesIn(app)

type Act = (change: Change) => void
const ends: [string, Act, Act][] = [
  [
    'closed and opened again',
    ({ shop, number }) => github.closePull(shop.name, number, 'agent'),
    ({ shop, number }) => github.reopenPull(shop.name, number, 'agent'),
  ],
  [
    'a draft and ready again',
    ({ shop, number }) => github.setDraft(shop.name, number, true, 'agent'),
    ({ shop, number }) => github.setDraft(shop.name, number, false, 'agent'),
  ],
]

test.each(ends)('%s', async (_, end, begin) => {
  const change = await aChange()
  const { shop, sha } = change
  const comes = await heardLate('pull_request', () => end(change))
  begin(change)
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(/^in_progress: .*build/)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each(ends)('%s, and so once more: the last of it counts', async (_, end, begin) => {
  const change = await aChange()
  const { shop, sha } = change
  end(change)
  await app.idle()
  const comes = await heardLate('pull_request', () => begin(change))
  end(change)
  await app.idle()
  await comes()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).not.toMatch(/^success/)
})
