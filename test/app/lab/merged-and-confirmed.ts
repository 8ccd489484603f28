// A task that is merged and confirmed, in a shop whose policy takes it up again where it breaks.
import { built } from './a-goal.ts'
import { requestPolicy } from './a-request.ts'
import type { Running } from './running.ts'
import { aShop } from './shop.ts'

export async function mergedAndConfirmed(app: Pick<Running, 'github' | 'idle'>) {
  const { github } = app
  const shop = await aShop(app, `${requestPolicy}tasks: { reopen_on_regression: true }\n`)
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const { pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  const merged = github.merge(shop.name, pull, { by: 'cleo' })
  await shop.idle()
  await shop.say(pull, 'eve', '/task verify I looked at it')
  const said = async () => (await shop.comments(pull)).filter((one) => one.includes('is taken up again'))
  return { shop, task, pull, merged, said }
}
