// Two processes on one store of files: the second one says who has it.
import { afterAll, expect, test } from 'vitest'
import { environmentOf } from '../lab/quiet.ts'
import { runningApp } from '../lab/running.ts'
import { refusedApp } from '../lab/spawned.ts'

const app = await runningApp()
afterAll(app.stop)

test('a second App on the same directory refuses to start and names the first', async () => {
  const { code, output } = await refusedApp({
    ...environmentOf(app.github),
    DATA_DIR: `${app.directory}/data`,
  })
  expect(code).toBe(1)
  expect(output).toMatch(
    /^countersign: The store in \S+ is in use by process \d+ on \S+ since \S+; one process at a time may open it\./,
  )
  expect((await fetch(`${app.url}/health`)).status).toBe(200)
})
