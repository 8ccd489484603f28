// A long history hides no move to another base: GitHub lists what happened to a pull request with the oldest first.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)
const policyOf = (rule: string): string => `version: 1\nverification: { checks: [${rule}] }\n`

/** A pull request to which twice as many events have happened as there are `times`. */
async function aPullBehind(times: number, { draft }: { readonly draft: boolean }) {
  const shop = await aShop(app, policyOf('{ name: build, check_run: build, app: other-ci }'))
  github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
  const sha = await shop.push()
  const pull = await shop.open('agent', { draft })
  await untold(github, () => {
    for (let n = 0; n < times; n += 1) {
      github.label(shop.name, pull, 'x', 'agent')
      github.unlabel(shop.name, pull, 'x', 'agent')
    }
  })
  return { shop, sha, pull }
}

test.each([1, 501])('moved to another base and back untold, behind %s labels set and taken away', async (times) => {
  const { shop, sha, pull } = await aPullBehind(times, { draft: false })
  aMinuteLater()
  await untold(github, () => github.editPull(shop.name, pull, { base: 'lax', by: 'agent' }))
  aMinuteLater()
  const id = await untold(github, () =>
    github.reportCheck(shop.name, { name: 'build', sha, status: 'in_progress', app: 'other-ci' }),
  )
  aMinuteLater()
  await untold(github, () => github.editPull(shop.name, pull, { base: 'main', by: 'agent' }))
  aMinuteLater()
  github.updateCheck(shop.name, id, { conclusion: 'success' })
  await app.idle()
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test.each([1, 501])('the same while it is a draft, where every webhook of the moves arrives (%s)', async (times) => {
  const { shop, sha, pull } = await aPullBehind(times, { draft: true })
  aMinuteLater()
  github.editPull(shop.name, pull, { base: 'lax', by: 'agent' })
  await app.idle()
  aMinuteLater()
  const id = github.reportCheck(shop.name, { name: 'build', sha, status: 'in_progress', app: 'other-ci' })
  await app.idle()
  aMinuteLater()
  github.editPull(shop.name, pull, { base: 'main', by: 'agent' })
  await app.idle()
  aMinuteLater()
  github.updateCheck(shop.name, id, { conclusion: 'success' })
  await app.idle()
  aMinuteLater()
  github.setDraft(shop.name, pull, false, 'agent')
  await app.idle()
  expect(wasGreen(sha, shop.name)).toBe(false)
})
