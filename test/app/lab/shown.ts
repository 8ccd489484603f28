// Screenshots that a run of the Action hands over, and policies that say what they should show.
import type { shotOf } from '../../vision/pictures.ts'
import { aRun, handOver, results, type Given } from './action-run.ts'

export const looks = (vision: string, checks = '{ name: test, command: npm test }'): string => `version: 1
identities: { agents: [agent] }
verification: { checks: [${checks}] }
security:
  vision: { enabled: true, kind: heuristic, ${vision} }
`
export const isBlue =
  '{ kind: dominant_colour, page: checkout, description: a blue page, expected_rgb: [0, 0, 255], tolerance: 60 }'

export type Shots = readonly ReturnType<typeof shotOf>[]

export async function handedOver(given: Given, text: string, shots: Shots): Promise<void> {
  const { left_out: _, ...file } = results(given, true, text)
  const screenshots = shots.map(({ named }) => named)
  await handOver(given, { ...file, left_out: [], screenshots }, { entries: shots.map(({ entry }) => entry) })
}

export async function shown(app: Parameters<typeof aRun>[0], text: string, shots: Shots): Promise<Given> {
  const given = await aRun(app, 'pull_request', text)
  await handedOver(given, text, shots)
  return given
}

/** Pictures are looked at aside, so what follows is waited for. */
export const patiently = { timeout: 40_000, interval: 100 }
export const title =
  ({ shop, sha }: Pick<Given, 'shop' | 'sha'>) =>
  () =>
    shop.check(sha)
