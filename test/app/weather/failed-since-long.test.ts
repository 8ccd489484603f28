// A check that is run again after its green was shown, and fails, turns the commit red also where no webhook told of it and none ever will.
import { afterAll, expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { kindOf, type Kind } from '../../unheard/kinds.ts'
import { report } from '../../unheard/results.ts'
import { aClock } from '../lab/clock-in-minutes.ts'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const { clock, aMinuteLater } = aClock()
const app = await runningApp({ clock })
afterAll(() => app.stop())
const { github } = app

async function aGreen(kind: Kind) {
  const shop = await aShop(app, kind.policy, workflowFiles)
  const sha = await shop.push()
  const pull = await shop.open()
  const finds = (isFine: boolean): void =>
    report({ shop, kind, home: shop.name, branch: 'feature', base: 'main', pull }, kind.checks[0], sha, isFine)
  finds(true)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  return { shop, sha, finds, check: () => shop.check(sha) }
}

test('by a check run, a status or the Action; and what no policy asks for may fail', async () => {
  const others = [await aGreen(kindOf(1)), await aGreen(kindOf(4)), await aGreen(kindOf(7))]
  const fine = await aGreen(kindOf(1))
  aMinuteLater()
  await untold(github, () => {
    for (const { finds } of others) finds(false)
    github.reportCheck(fine.shop.name, { name: 'lint', sha: fine.sha, conclusion: 'failure', app: 'github-actions' })
  })
  aMinuteLater()
  for (const { check } of others) expect(await check()).toMatch(/^success/)
  // Whoever lets us in anew has all be looked at.
  await aShop(app)
  await until(async () =>
    (await Promise.all(others.map(({ check }) => check()))).every((one) => one.startsWith('failure')),
  )
  expect(await fine.check()).toMatch(/^success/)
})
