// What must not wait although much else does: check runs of three hundred pull requests that turn red at once, under GitHub's
// own limits by the minute, and one event of a quiet repository in the midst of another's storm.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { githubLimits } from '../../src/adapters/github/traffic/allowances.ts'
import { until } from '../app/lab/running.ts'
import { aLab, aShop, callMs, shownAfterMs, type Lab } from './lab.ts'
import { atMost, type Row } from './row.ts'

const pulls = 300
const storm = 2_000
const rushMsMax = 180_000
const LOOK_MS = 500

export async function rushRows(): Promise<readonly Row[]> {
  const lab = await aLab()
  try {
    return [await stormRow(lab), ...(await redRows(lab))]
  } finally {
    await lab.stop()
  }
}

/** All of one installation: its points and its comments of a minute are one. */
async function redRows(lab: Lab): Promise<readonly Row[]> {
  const { github } = lab
  await github.setDelay(0)
  const shop = await aShop(lab)
  const heads: string[] = []
  for (let index = 0; index < pulls; index += 1) {
    const sha = await shop.push(`red-${index}`)
    await shop.open(`red-${index}`)
    await shop.begin(sha, 'build')
    heads.push(sha)
  }
  await lab.idle()
  // What opening them took of a minute is not what is measured.
  await sleep(61_000)
  await github.setDelay(callMs)
  const { pointsPerMinute, graphqlPointsPerMinute, contentPerMinute } = githubLimits
  await github.setLimits({ pointsPerMinute, graphqlPointsPerMinute, contentPerMinute })
  const began = performance.now()
  await Promise.all(heads.map((sha) => shop.complete(sha, 'build', 'failure')))
  const red = new Set<string>()
  // Looked at without a request: an observer who asks spends points of his own, and waits for each answer.
  const look = async (sha: string): Promise<void> => {
    const { runs } = await github.checksOn(shop.name, sha)
    if (runs.some(({ app, conclusion }) => app === github.app.slug && conclusion === 'failure')) red.add(sha)
  }
  await until(
    async () => {
      await Promise.all(heads.filter((sha) => !red.has(sha)).map(look))
      return red.size === pulls
    },
    rushMsMax,
    LOOK_MS,
  ).catch(() => undefined)
  const seconds = (performance.now() - began) / 1_000
  await github.setLimits({ pointsPerMinute: null, graphqlPointsPerMinute: null, contentPerMinute: null })
  return [
    atMost(`${pulls} pull requests turn red at once: until every check run says so`, seconds, 's', 30),
    atMost(`${pulls} pull requests turn red at once: not shown`, pulls - red.size, 'check runs', 0),
  ]
}

/** The storm is on one pull request after the other, so that little of it can be taken together. */
async function stormRow(lab: Lab): Promise<Row> {
  const { github } = lab
  await github.setDelay(0)
  const [loud, quiet] = [await aShop(lab), await aShop(lab)]
  const heads: string[] = []
  for (let index = 0; index < 50; index += 1) {
    heads.push(await loud.push(`loud-${index}`))
    await loud.open(`loud-${index}`)
  }
  const sha = await quiet.push('quiet')
  await quiet.open('quiet')
  await quiet.begin(sha, 'build')
  await lab.idle()
  await github.setDelay(callMs)
  const blowing = Promise.all(
    Array.from({ length: storm / 2 }, (_, index) =>
      loud.report(heads[index % heads.length] ?? '', index % 3 === 0 ? 'failure' : 'success'),
    ),
  )
  await until(async () => (await lab.inbox()).waiting > 0, rushMsMax)
  const id = await idOf(lab, quiet.name)
  const watched = await lab.watch(async () => {
    await quiet.complete(sha, 'build', 'success')
    await blowing
  })
  // What waits here to be sent was told to nobody; what counts is when we were told.
  const told = (await github.deliveries())
    .filter(({ repository }) => repository === id)
    .map(({ deliveredAt }) => Date.parse(deliveredAt))
  const began = Math.min(...told.filter((at) => at >= watched.began))
  const requests = watched.requests.filter(({ path, at }) => path.startsWith(`/repos/${quiet.name}/`) && at >= began)
  const seconds = shownAfterMs({ began, requests }) / 1_000
  return atMost(`a quiet repository, while another one has ${storm} webhooks: event to decision shown`, seconds, 's', 1)
}

const repository = z.object({ id: z.number() })

async function idOf({ github }: Lab, name: string): Promise<number> {
  const headers = { authorization: `token ${await github.tokenOf('ada')}` }
  return repository.parse(await (await fetch(`${github.url}/repos/${name}`, { headers })).json()).id
}
