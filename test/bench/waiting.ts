// Two hundred agents that wait at once for the decision about one commit, each with their own token and the official client:
// what they hold of the App's memory meanwhile, and how long after the decision is shown the last of them knows it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aLab, aShop, isRed, type Lab } from './lab.ts'
import { CLOSELY_MS, until } from '../app/lab/running.ts'
import { atMost, percentile, type Row } from './row.ts'

const agents = 200
const settledMs = 10_000
const shownMsMax = 40_000
const waitSeconds = 300

export async function waitingRows(): Promise<readonly Row[]> {
  const lab = await aLab()
  try {
    return await rowsOf(lab)
  } finally {
    await lab.stop()
  }
}

async function rowsOf(lab: Lab): Promise<readonly Row[]> {
  const { github, url } = lab
  const shop = await aShop(lab)
  const sha = await shop.push('waited')
  const number = await shop.open('waited')
  await shop.begin(sha, 'build')
  await lab.idle()
  await github.addCrowd(shop.name, agents, 'write')
  const clients = await Promise.all(
    Array.from({ length: agents }, async (_, index) => agentOf(url, await github.tokenOf(`write-${index + 1}`))),
  )
  await sleep(settledMs)
  const before = memoryOf(lab)
  const args = { task_id: `${shop.name}#${number}`, sha, timeout_seconds: waitSeconds }
  const answered: number[] = []
  const waits = clients.map(async (client) => {
    const { isError } = await client.callTool(
      { name: 'wait_for_decision', arguments: args },
      { timeout: waitSeconds * 1_000 },
    )
    if (isError === true) throw new Error('An agent was not answered')
    answered.push(performance.now())
  })
  await sleep(settledMs)
  if (answered.length > 0) throw new Error('An agent was answered before there was a decision')
  const [during, cpu] = [memoryOf(lab), cpuSecondsOf(lab)]
  await sleep(settledMs)
  const share = ((cpuSecondsOf(lab) - cpu) / (settledMs / 1_000)) * 100
  await shop.complete(sha, 'build', 'failure')
  await until(() => isRed(lab, { shop, sha }), shownMsMax, CLOSELY_MS)
  const shown = performance.now()
  await Promise.all(waits)
  const late = answered.map((at) => (at - shown) / 1_000)
  await Promise.all(clients.map((client) => client.close()))
  return [
    atMost(`${agents} agents wait for a decision: memory that they hold`, during - before, 'MB', 200),
    atMost(`${agents} agents wait for a decision: share of one core`, share, '%', 50),
    atMost(`${agents} agents wait for a decision: until half of them know it`, percentile(late, 50), 's', 3),
    atMost(`${agents} agents wait for a decision: until the last knows it`, percentile(late, 100), 's', 6),
  ]
}

async function agentOf(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'an agent', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

const ofProcess = (lab: Lab, file: string): string => readFileSync(`/proc/${lab.pid() ?? ''}/${file}`, 'utf8')
const memoryOf = (lab: Lab): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(ofProcess(lab, 'status'))?.[1]) / 1_000
/** In ticks of a hundredth of a second, of the process and of what it computed for the system. */
function cpuSecondsOf(lab: Lab): number {
  const fields = ofProcess(lab, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
