// The Action as a process on a real checkout, with a GitHub that takes 50 ms for each call: what it costs beyond the
// commands that it runs, and how long tier 1 takes over a large change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { aStage, closeStages, policyWith, runs, type Stage } from '../action/stage.ts'
import { callMs } from './lab.ts'
import { atMost, median, type Row } from './row.ts'

const checks = 20
const parallel = 4
const rounds = 7
const files = 1_000

export async function actionRows(): Promise<readonly Row[]> {
  try {
    return [await overheadRow(), await tier1Row()]
  } finally {
    await closeStages()
  }
}

async function overheadRow(): Promise<Row> {
  const names = Array.from({ length: checks }, (_, at) => `check-${at}`)
  const stage = await aStage({ policy: policyWith(Object.fromEntries(names.map((name) => [name, runs('true')]))) })
  stage.github.setDelay(callMs)
  const [whole, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    whole.push(await timed(() => passing(stage)))
    bare.push(await timed(bareCommands))
  }
  const seconds = (median(whole) - median(bare)) / 1000
  return atMost(
    `Action: over ${checks} bare commands, its start and the upload included, median of ${rounds}`,
    seconds,
    's',
    0.5,
  )
}

/** The run as a whole, less one that changes a single file. */
async function tier1Row(): Promise<Row> {
  const kinds = ['json', 'yaml', 'toml', 'py', 'ts'] as const
  const texts = {
    json: (at: number) => `{"number": ${at}, "list": [1, 2, 3], "text": "${'x'.repeat(500)}"}\n`,
    yaml: (at: number) => `number: ${at}\nlist:\n${'  - one\n'.repeat(50)}`,
    toml: (at: number) => `number = ${at}\n${Array.from({ length: 50 }, (_, row) => `key${row} = "x"\n`).join('')}`,
    py: (at: number) => `NUMBER = ${at}\n${'def f():\n    return [1, 2, 3]\n\n'.repeat(20)}`,
    ts: (at: number) => `export const number = ${at}\n${'export type A = { readonly b: string }\n'.repeat(20)}`,
  } as const satisfies Record<(typeof kinds)[number], (at: number) => string>
  const change = Object.fromEntries(
    Array.from({ length: files }, (_, at) => {
      const kind = kinds[at % kinds.length] ?? 'ts'
      return [`src/folder-${at % 37}/file-${at}.${kind}`, texts[kind](at)]
    }),
  )
  const [small, large] = [await aStage(), await aStage({ change })]
  await passing(small)
  const [few, many] = [await timed(() => passing(small)), await timed(() => passing(large))]
  return atMost(
    `Action: tier 1 of ${files} changed files, a fifth of each of ${kinds.join(', ')}`,
    (many - few) / 1000,
    's',
    5,
  )
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

async function passing(stage: Stage): Promise<void> {
  const { code, log } = await stage.run()
  if (code !== 0) throw new Error(`The Action failed:\n${log}`)
}

async function bareCommands(): Promise<void> {
  let left = checks
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await once(spawn('bash', ['-eo', 'pipefail', '-c', 'true'], { stdio: 'ignore' }), 'close')
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}
