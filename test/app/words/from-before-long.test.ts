// GitHub goes on to show a pull request as it was: what was said there is not lost behind that.
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app

test('what GitHub does not show within half a minute is not waited for: what was said counts for what it shows', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  github.addFault({ trouble: { kind: 'stale' } })
  await untold(github, () =>
    github.push(shop.name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' }),
  )
  await aSecond()
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  await until(async () => (await shop.check(sha)).startsWith('failure'), 60_000, 500)
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
})
