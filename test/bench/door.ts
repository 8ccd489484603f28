// The door alone: signed webhooks that are understood and stored, about commits that no pull request has.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { environmentOf } from '../app/lab/quiet.ts'
import { freePort, until } from '../app/lab/running.ts'
import { aShop, type Lab } from './lab.ts'
import { report, type Report, type Wish } from './sender.ts'
import { atLeast, atMost, median, percentile, rounded, type Row } from './row.ts'

const perSecond = 200
const seconds = 10
const senders = 64
const repeats = 3

export async function doorRows(lab: Lab): Promise<readonly Row[]> {
  const template = await aCheckRunPayload(lab)
  await sent(lab, template, { perSecond, seconds: 1 })
  await lab.idle()
  const paced = await sent(lab, template, { perSecond, seconds })
  await lab.idle()
  const floods = await flooded(lab, template)
  const rate = median(floods.map(({ ours }) => ours))
  const most = median(floods.map(({ bare }) => bare))
  const times = median(floods.map(({ ours, bare }) => ours / bare))
  const at = `webhook acknowledged at ${perSecond}/s for ${seconds} s`
  const rates = `${rounded(rate)}/s, of the ${rounded(most)}/s of a bare Probot`
  return [
    atMost(`${at}, p50`, percentile(paced.took, 50), 'ms', 10),
    atMost(`${at}, p99`, percentile(paced.took, 99), 'ms', 50),
    atLeast(`webhooks acknowledged with ${senders} senders, median of ${repeats}: ${rates}`, times, 'times', 0.8),
  ]
}

/** How many a second, each beside what a bare Probot takes just before: the machine may have others to serve as well. */
async function flooded(
  lab: Lab,
  template: string,
): Promise<readonly { readonly bare: number; readonly ours: number }[]> {
  const probot = await bareProbot(lab)
  const floods = []
  for (let index = 0; index < repeats; index += 1) {
    const bare = rateOf(await sent(probot, template, { perSecond: null, seconds }))
    const ours = rateOf(await sent(lab, template, { perSecond: null, seconds }))
    await lab.idle()
    floods.push({ bare, ours })
  }
  probot.end()
  return floods
}

/** A real one, as GitHub sends it for a check run of somebody else. */
async function aCheckRunPayload(lab: Lab): Promise<string> {
  const shop = await aShop(lab)
  const sha = await shop.push('unheard')
  await shop.report(sha, 'success')
  await lab.idle()
  const deliveries = await lab.github.deliveries()
  const one = deliveries.findLast(({ event, action }) => event === 'check_run' && action === 'completed')
  if (one === undefined) throw new Error('GitHub sent no check_run')
  const payload = z
    .looseObject({ check_run: z.looseObject({ head_sha: z.string() }) })
    .parse(await lab.github.payloadOf(one.id))
  return JSON.stringify({ ...payload, check_run: { ...payload.check_run, head_sha: placeholder } })
}

const placeholder = 'the commit of this one'

const rateOf = ({ took, seconds: all }: Report): number => took.length / all

/** Stands in for the App. */
async function bareProbot({ github }: Lab): Promise<{ readonly url: string; readonly end: () => void }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...environmentOf(github),
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn' as const,
    LOG_FORMAT: 'json' as const,
  }
  const child = spawn(process.execPath, [probot], { env, stdio: ['pipe', 'ignore', 'inherit'] })
  const answers = (): Promise<boolean> =>
    fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers)
  return { url, end: () => child.stdin.end() }
}

/** By a process of its own. */
async function sent(
  { url }: { readonly url: string },
  template: string,
  wanted: Pick<Wish, 'perSecond' | 'seconds'>,
): Promise<Report> {
  const child = spawn(process.execPath, [sender], { stdio: ['pipe', 'pipe', 'inherit'] })
  const wish: Wish = { url, secret, template, placeholder, senders, ...wanted }
  child.stdin.end(JSON.stringify(wish))
  return report.parse(JSON.parse(await text(child.stdout)))
}

const probot = new URL('bare-probot.ts', import.meta.url).pathname
const sender = new URL('sender.ts', import.meta.url).pathname
const secret = 'it is a secret'
