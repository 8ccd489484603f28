// All that a run may hand over that nothing of it is believed.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { forgeries, pageAfter, unheeded } from '../lab/forgeries.ts'

const app = await appOfFile()

test.each(forgeries)('%s', async (...forgery) => {
  const { check, summary } = await pageAfter(app, forgery)
  expect(check).toMatch(unheeded)
  expect(summary).toContain('Results that do not count')
  expect(summary).toContain(forgery[3])
})
