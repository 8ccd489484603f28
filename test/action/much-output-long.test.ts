// The bundled Action as a process, and a check that prints more than anybody keeps.
import { afterAll, expect, test } from 'vitest'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

afterAll(closeStages)

test('100 MB of output cost little memory, and the end is kept', async () => {
  const command = `head -c 100000000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo the very end; exit 1`
  const run = await (await aStage({ policy: policyWith({ loud: runs(command) }) })).run()
  const [check] = run.results().checks
  expect(check?.exit_code).toBe(1)
  expect(check?.output).toMatch(/^x{99}\n/)
  expect(check?.output).toMatch(/\n\[\.\.\. \d{7} lines omitted\]\n/)
  expect(check?.output.endsWith('the very end\n')).toBe(true)
  expect(Buffer.byteLength(check?.output ?? '')).toBeLessThan(64 * 1024 + 100)
  expect(check?.truncated_bytes).toBeGreaterThan(100_000_000)
  const log = run.files.get(check?.log ?? '')
  expect(log?.length).toBeGreaterThan(10 * 1024 * 1024 - 100)
  expect(log?.length).toBeLessThan(10 * 1024 * 1024 + 200)
  expect(run.peakMb).toBeLessThan(400)
}, 60_000)
