// A pull request gets another base for a while and the App hears of it late, or never: what other CI reported on its commit
// meanwhile counts for no base that nobody can name.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { movedBasesIn } from '../lab/moved-base.ts'
import { until } from '../lab/running.ts'
import { shareOf } from '../../depth.ts'

const app = await sharedApp()
const { github } = app
const { passes, aChange } = movedBasesIn(app)

test.each(shareOf(2, passes))(
  '%s counts for no base where GitHub does not tell of the moves of the base',
  async (_, policy, report) => {
    const { shop, sha } = await aChange(policy)
    const silent = github.addFault({ path: '/repos/*/issues/*/events*', trouble: { kind: 'answer', status: 404 } })
    report(shop, sha)
    const fails = /^action_required: Needs a person: Countersign itself failed/
    await until(async () => fails.test(await shop.check(sha)), 20_000, 200)
    expect(github.faultHits(silent)).toBeGreaterThan(0)
    github.removeFault(silent)
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
  },
)
