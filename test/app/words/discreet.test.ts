// What people and programs let slip is neither kept nor shown: a token in a reason, a key in the output of a check that was
// adopted, the App's own secret in a review, whatever else stands around it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runningApp } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await runningApp()
afterAll(() => app.stop())

const letters = 'aB3dE6gH'.repeat(5).slice(0, 36)
const token = `ghp_${letters}`
const awsKey = 'AKIAIOSFODNN7EXAMPLE'
const webhookSecret = app.github.app.webhookSecret

async function kept(): Promise<string> {
  const directory = join(app.directory, 'data')
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))
  return texts.join('\n')
}

test('secrets are in no file of the store and on no page', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  app.github.reportCheck(shop.name, {
    name: 'build',
    sha,
    conclusion: 'failure',
    output: {
      title: 'build',
      summary: `deploying with \u001b[31m${awsKey}\u001b[0m failed at step seven`,
      text: null,
      annotations: [],
    },
  })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
  await shop.say(number, 'bob', `/reject the log names ${token} in line nine`)
  await shop.say(number, 'ada', `/nonsense ${token}`)
  await shop.review(number, 'ada', 'REQUEST_CHANGES', `you posted ${webhookSecret} in chapter eleven`)
  await shop.say(number, 'ada', `/override --check ${token} never mind`)
  await shop.say(number, 'ada', '/log')
  await shop.say(number, 'ada', '/context')

  const pages = [await shop.summary(sha), ...(await shop.comments(number))].join('\n')
  const store = await kept()
  for (const [where, text] of Object.entries({ pages, store })) {
    for (const secret of [token, awsKey, webhookSecret])
      expect(text.includes(secret), `${secret} on ${where}`).toBe(false)
  }
  expect(pages).toContain('in line nine')
  expect(pages).toContain('failed at step seven')
  expect(store).toContain('in chapter eleven')
})
