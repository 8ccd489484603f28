// Whoever is put into a merge group with others is found, however many commits they have together.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)

test.each([2, 90])(
  'one of four that are put in together, of %s commits each, is no success any more',
  async (commits) => {
    const shop = await aShop(app)
    const pulls: number[] = []
    let [third, last] = [0, '']
    for (const branch of ['one', 'two', 'three']) {
      const sha = await untold(github, () => {
        let at = ''
        for (let n = 0; n < commits; n += 1)
          at = github.push(shop.name, branch, {
            files: { [`src/${branch}.ts`]: `export const n = ${n}\n` },
            author: 'agent',
          })
        return at
      })
      third = github.openPull(shop.name, { title: branch, head: branch, by: 'agent' })
      await app.idle()
      await shop.build(sha, 'success')
      expect(await shop.check(sha)).toMatch(/^success/)
      pulls.push(third)
      last = sha
    }
    const sha = await shop.push()
    const fourth = await shop.open()
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
    const group = github.mergeGroup(shop.name, [...pulls, fourth], 'ada').headSha
    await app.idle()
    await shop.say(third, 'bob', '/reject not like this')
    expect(await shop.check(last)).toMatch(/^failure/)
    await shop.build(group, 'success')
    expect(await shop.check(group)).not.toMatch(/^success/)
    expect(wasGreen(group, shop.name)).toBe(false)
  },
)
