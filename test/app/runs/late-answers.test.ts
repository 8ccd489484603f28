// An answer of GitHub is as old as the question, however late it arrives: whatever happened since is asked for anew, and what
// was read later is not overwritten by what was read before.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

const green = { status: 'completed', conclusion: 'success' } as const
const red = { status: 'completed', conclusion: 'failure' } as const
const begun = { status: 'in_progress' } as const

test.each([
  ['failed', green, red, /^failure/],
  ['passed', begun, green, /^success/],
] as const)(
  'a check that %s while an answer about it was on its way counts as it is now',
  async (_, before, now, shown) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    const run = github.reportCheck(shop.name, { name: 'build', sha, app: 'github-actions', ...before })
    await app.idle()
    const gate = Promise.withResolvers<void>()
    const path = `/repos/${shop.name}/commits/*/check-runs*`
    const late = github.addFault({ path, times: 1, trouble: { kind: 'late', until: gate.promise } })
    github.openPull(shop.name, { title: 'A better shop', head: 'feature', by: 'agent' })
    await until(async () => github.faultHits(late) > 0)
    github.updateCheck(shop.name, run, now)
    await sleep(700)
    gate.resolve()
    await app.idle()
    expect(await shop.check(sha)).toMatch(shown)
  },
)
