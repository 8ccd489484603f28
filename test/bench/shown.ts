// How long until people see it, and what a burst costs. Times come from GitHub's log, so waiting for them costs nothing.
import { aShop, callMs, firstShownAfterMs, isRed, isWrite, shownAfterMs, type Head, type Lab } from './lab.ts'
import { atMost, median, type Row } from './row.ts'

const repeats = 10
/** Beside the call itself it is a matter of milliseconds, which ten do not tell from chance. */
const pushes = 30
/** Each takes a hundred pull requests. */
const burstRepeats = 5
const green = { status: 'completed', conclusion: 'success' } as const
export const shopsMax = 25

/** Milliseconds from a check run that decides to the decision. */
export async function eventToShown(lab: Lab): Promise<number> {
  const shop = await aShop(lab)
  const times: number[] = []
  for (let index = 0; index < repeats; index += 1) {
    const sha = await shop.push(`event-${index}`)
    await shop.open(`event-${index}`)
    await shop.begin(sha, 'build')
    await lab.idle()
    times.push(shownAfterMs(await lab.watch(() => shop.complete(sha, 'build', 'success'))))
  }
  return median(times)
}

export async function pushRow(lab: Lab): Promise<Row> {
  const shop = await aShop(lab)
  const times: number[] = []
  await shop.push('pushed')
  await shop.open('pushed')
  await lab.idle()
  for (let index = 0; index < pushes; index += 1) {
    times.push(firstShownAfterMs(await lab.watch(() => shop.push('pushed'))))
  }
  return atMost(`push to queued check run, median of ${pushes}`, median(times) / 1000, 's', 0.07)
}

export async function onePullRows(lab: Lab): Promise<readonly Row[]> {
  const shop = await aShop(lab)
  const sha = await shop.push('busy')
  await shop.open('busy')
  const runs = await Promise.all(Array.from({ length: 100 }, () => shop.begin(sha, 'build')))
  await lab.idle()
  const { requests } = await lab.watch(() =>
    Promise.all(runs.map((run) => lab.github.updateCheck(shop.name, run, green))),
  )
  return [
    atMost('100 events on one pull request: calls', requests.length, 'calls', 5),
    atMost('100 events on one pull request: writes', requests.filter(isWrite).length, 'writes', 2),
  ]
}

export async function manyPullsRows(lab: Lab): Promise<readonly Row[]> {
  const times: number[] = []
  let heads: readonly Head[] = []
  for (let index = 0; index < burstRepeats; index += 1) {
    heads = await manyWaiting(lab)
    times.push(await allShownMs(lab, heads))
  }
  const where = `${heads.length} pull requests in ${shopsMax} organisations`
  const name = `100 events on ${where}: until all are shown, median of ${burstRepeats}`
  return [atMost(name, median(times) / 1000, 's', 0.8), await burstRow(lab, heads)]
}

/** In several organisations, because GitHub takes only so many comments a minute from one installation. */
export async function manyWaiting(lab: Lab, pullsPerShop = 4): Promise<readonly Head[]> {
  await lab.github.setDelay(0)
  const heads: Head[] = []
  for (let index = 0; index < shopsMax; index += 1) {
    const shop = await aShop(lab)
    for (let pull = 0; pull < pullsPerShop; pull += 1) {
      const sha = await shop.push(`many-${pull}`)
      await shop.open(`many-${pull}`)
      await shop.begin(sha, 'build')
      heads.push({ shop, sha })
    }
  }
  await lab.idle()
  return heads
}

/** Milliseconds from the moment when all of them have passed until all of them are shown. */
export async function allShownMs(lab: Lab, heads: readonly Head[]): Promise<number> {
  await lab.github.setDelay(callMs)
  return shownAfterMs(
    await lab.watch(() => Promise.all(heads.map(({ shop, sha }) => shop.complete(sha, 'build', 'success')))),
  )
}

/** Nine green runs and a red one each, told in two webhooks apiece: whoever missed the last is not red. */
async function burstRow(lab: Lab, heads: readonly Head[]): Promise<Row> {
  const before = (await lab.github.deliveries()).length
  await lab.watch(async () => {
    for (let index = 0; index < 10; index += 1) {
      const conclusion = index < 9 ? 'success' : 'failure'
      await Promise.all(heads.map(({ shop, sha }) => shop.report(sha, conclusion)))
    }
  })
  const refused = (await lab.github.deliveries()).slice(before).filter(({ status }) => status !== 'OK').length
  const { dead } = await lab.inbox()
  const shown = await Promise.all(heads.map((head) => isRed(lab, head)))
  return atMost(
    'burst of 1,000 check runs in 2,000 webhooks: lost',
    refused + dead + shown.filter((red) => !red).length,
    'events',
    0,
  )
}
