// What a task waits for may lie in a repository that few may read: of that the App says here no more than its name.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test('the title of an issue of another repository is said nowhere', async () => {
  const shop = await aShop(app)
  const vault = `${shop.org}/vault`
  github.createRepo(vault, { private: true, files: { 'README.md': '# Vault\n' }, by: 'cleo' })
  const [secret, near, task] = [
    github.openIssue(vault, { title: 'Buy the other shop', body: '', by: 'cleo' }),
    github.openIssue(shop.name, { title: 'Read rates', body: '', by: 'cleo' }),
    github.openIssue(shop.name, { title: 'Show prices', body: '', by: 'cleo' }),
  ]
  github.addBlocker(shop.name, task, secret, 'cleo', vault)
  github.addBlocker(shop.name, task, near, 'cleo')
  const sha = await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${task}` })
  await shop.build(sha, 'success')
  await shop.say(pull, 'ada', '/status')
  await shop.say(pull, 'ada', '/log')
  const said = [await shop.check(sha), await shop.summary(sha), ...(await shop.comments(pull))].join('\n')
  expect(said).toContain(`${vault}#${secret}`)
  expect(said).toContain('Read rates')
  expect(said).not.toContain('Buy the other shop')
})
