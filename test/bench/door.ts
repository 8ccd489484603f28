// The door alone: signed webhooks that are understood and stored, about commits that no pull request has.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { aShop, type Lab } from './lab.ts'
import { atLeast, atMost, percentile, type Row } from './row.ts'

const perSecond = 200
const seconds = 10
const senders = 64
const agent = new Agent({ keepAlive: true, maxSockets: 512 })

export async function doorRows(lab: Lab): Promise<readonly Row[]> {
  const template = await aCheckRunPayload(lab)
  await warmUp(lab, template)
  const paced = await atARate(lab, template)
  await lab.idle()
  const { acknowledged, took } = await asFastAsPossible(lab, template)
  await lab.idle()
  const at = `webhook acknowledged at ${perSecond}/s for ${seconds} s`
  return [
    atMost(`${at}, p50`, percentile(paced, 50), 'ms', 10),
    atMost(`${at}, p99`, percentile(paced, 99), 'ms', 50),
    atLeast(`webhooks acknowledged with ${senders} senders for ${seconds} s`, acknowledged / took, 'per s', 2_000),
  ]
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

async function warmUp(lab: Lab, template: string): Promise<void> {
  for (let index = 0; index < perSecond; index += 1) await send(lab, template)
  await lab.idle()
}

/** Each leaves at its own time, however long the others take. */
async function atARate(lab: Lab, template: string): Promise<readonly number[]> {
  const began = performance.now()
  const sent: Promise<number>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = began + (index * 1000) / perSecond
    while (performance.now() < due) await sleep(1)
    sent.push(send(lab, template))
  }
  return Promise.all(sent)
}

async function asFastAsPossible(lab: Lab, template: string): Promise<{ acknowledged: number; took: number }> {
  const began = performance.now()
  const counts = await Promise.all(
    Array.from({ length: senders }, async () => {
      let sent = 0
      for (; performance.now() - began < seconds * 1000; sent += 1) await send(lab, template)
      return sent
    }),
  )
  return { acknowledged: counts.reduce((sum, count) => sum + count, 0), took: (performance.now() - began) / 1000 }
}

/** Milliseconds until it was acknowledged. */
function send({ url, github }: Lab, template: string): Promise<number> {
  const body = template.replace(placeholder, randomBytes(20).toString('hex'))
  const signature = createHmac('sha256', 'it is a secret').update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-event': 'check_run',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
    'x-github-hook-id': String(github.app.id),
  }
  const began = performance.now()
  return new Promise((done, fail) => {
    const sent = request(`${url}/api/github/webhooks`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => {
        if (answer.statusCode === 202) done(performance.now() - began)
        else fail(new Error(`A webhook was answered with ${answer.statusCode}`))
      })
    })
    sent.once('error', fail)
    sent.end(body)
  })
}
