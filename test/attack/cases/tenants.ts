// Others on the same App: repositories and organisations whose trouble must stay theirs, and whose facts must not count
// elsewhere. And strangers at the door.
import { createHmac } from 'node:crypto'
import type { Shop } from '../../app/lab/shop.ts'
import { until } from '../../app/lab/running.ts'
import type { Case, Role, Scene } from '../case.ts'

/** An honest change of ours is judged and turns green, whatever the others do and however busy they keep the App. */
async function honest({ github, must }: Scene, shop: Shop): Promise<void> {
  const sha = github.push(shop.name, 'honest', { files: { 'src/honest.ts': 'one\n' }, author: 'agent' })
  github.openPull(shop.name, { title: 'Honest', head: 'honest', by: 'agent' })
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  const isGreen = async (): Promise<boolean> => (await shop.check(sha)).startsWith('success')
  await until(isGreen).catch(() => {})
  must(await isGreen(), 'an honest change elsewhere turns green')
}

type Trouble = readonly [string, (scene: Scene, theirs: Shop, ours: Shop) => Promise<void>]
const troubles: readonly Trouble[] = [
  [
    'their installation is suspended',
    async ({ github }, theirs) => github.suspendInstallation(theirs.installation, 'cleo'),
  ],
  [
    'their conversation is locked',
    async ({ github }, { name, push, open }) => {
      const sha = await push()
      const number = await open()
      github.lock(name, number, 'too heated', 'ada')
      github.reportCheck(name, { name: 'build', sha, conclusion: 'failure' })
      github.comment(name, number, { body: '/status', by: 'ada' })
    },
  ],
  [
    'their labels are refused for ever',
    async ({ github }, theirs) => {
      github.addFault({
        method: 'POST',
        path: `/repos/${theirs.name}/issues/*/labels`,
        trouble: { kind: 'answer', status: 422, message: 'Validation Failed' },
      })
      github.push(theirs.name, 'feature', { files: { 'src/a.ts': 'one\n' }, author: 'agent' })
      github.openPull(theirs.name, { title: 'One', head: 'feature', by: 'agent' })
    },
  ],
  [
    'reactions are forbidden to us there',
    async ({ github }, theirs) => {
      github.addFault({
        method: 'POST',
        path: `/repos/${theirs.name}/issues/comments/*/reactions`,
        trouble: { kind: 'answer', status: 403, message: 'Resource not accessible by integration' },
      })
      const sha = await theirs.push()
      const number = await theirs.open()
      await theirs.build(sha, 'failure')
      github.comment(theirs.name, number, { body: '/override flaky', by: 'ada' })
    },
  ],
  [
    'their repository goes away',
    async ({ github }, theirs) => {
      await theirs.push()
      await theirs.open()
      github.deleteRepo(theirs.name, 'cleo')
    },
  ],
  [
    'they are not found any more',
    async ({ github }, theirs) => {
      await theirs.push()
      github.addFault({ path: `/repos/${theirs.name}*`, trouble: { kind: 'answer', status: 404 } })
      github.openPull(theirs.name, { title: 'One', head: 'feature', by: 'agent' })
    },
  ],
  [
    'their merge group is gone before it is read',
    async ({ github }, theirs) => {
      const sha = await theirs.push()
      const number = await theirs.open()
      await theirs.build(sha, 'success')
      const { headSha } = github.mergeGroup(theirs.name, [number], 'ada')
      github.endGroup(theirs.name, headSha, 'dequeued', 'ada')
    },
  ],
  [
    'many pull requests of theirs come at once',
    async ({ github }, theirs) => {
      for (let one = 0; one < 40; one += 1) {
        github.push(theirs.name, `many-${one}`, { from: 'main', files: { [`src/${one}.ts`]: 'x\n' }, author: 'agent' })
        github.openPull(theirs.name, { title: `${one}`, head: `many-${one}`, by: 'agent' })
      }
    },
  ],
]

const besides: readonly Case[] = troubles.map(([words, trouble]) => ({
  role: 'co-tenant',
  name: `an honest change turns green while ${words}`,
  patient: words.includes('not found') || words.includes('many'),
  play: async (scene) => {
    const [theirs, ours] = [await scene.shop(), await scene.shop()]
    await trouble(scene, theirs, ours)
    await honest(scene, ours)
  },
}))

const restarts: readonly Case[] = [
  {
    role: 'co-tenant',
    name: 'what was missed is found after a start although another installation is suspended',
    play: async (scene) => {
      const { github, app } = scene
      const [theirs, ours] = [await scene.shop(), await scene.shop()]
      github.suspendInstallation(theirs.installation, 'cleo')
      await scene.settled()
      await app.kill()
      // Not even GitHub's list of deliveries knows of it.
      const url = `${app.url}/api/github/webhooks`
      github.setWebhookUrl(null)
      const sha = github.push(ours.name, 'unseen', { files: { 'src/a.ts': 'one\n' }, author: 'agent' })
      github.openPull(ours.name, { title: 'Unseen', head: 'unseen', by: 'agent' })
      github.setWebhookUrl(url)
      await app.start()
      await until(async () => (await ours.check(sha)) !== 'none').catch(() => {})
      scene.must((await ours.check(sha)) !== 'none', 'the change that nobody told of is judged')
    },
  },
]

type Elsewhere = readonly [string, Role, (scene: Scene, ours: Shop, sha: string) => Promise<void>]
const elsewhere: readonly Elsewhere[] = [
  [
    'a green check of the same commit in a fork',
    'outsider',
    async ({ github }, ours, sha) => {
      const home = github.fork(ours.name, `dan-of-${ours.org}`)
      github.install(`dan-of-${ours.org}`)
      github.push(home, 'main', { files: { '.github/countersign.yml': 'mode: off\n' }, author: `dan-of-${ours.org}` })
      github.moveBranch(home, 'mine', sha, `dan-of-${ours.org}`)
      github.openPull(home, { title: 'Mine', head: `dan-of-${ours.org}:mine`, by: `dan-of-${ours.org}` })
      github.reportCheck(home, { name: 'build', sha, conclusion: 'success' })
    },
  ],
  [
    'a repository of another that takes our former name',
    'co-tenant',
    async ({ github }, ours) => {
      github.renameRepo(ours.name, 'moved', 'cleo')
      const id = github.createRepo(ours.name, { files: { '.github/countersign.yml': 'mode: off\n' }, by: 'cleo' })
      github.openIssue(ours.name, { title: `Number ${id}`, by: 'cleo' })
      github.renameRepo(ours.name, 'taken', 'cleo')
      github.renameRepo(`${ours.org}/moved`, 'shop', 'cleo')
    },
  ],
  [
    'a default policy that somebody who may not adds',
    'outsider',
    async ({ github }, ours) => {
      github.createRepo(`dan-of-${ours.org}/.github`, { files: { '.github/countersign.yml': 'mode: off\n' } })
    },
  ],
  [
    'a webhook that nobody signed',
    'outsider',
    async ({ app }, ours, sha) => {
      const check_run = { head_sha: sha, name: 'build', conclusion: 'success', app: { id: 15_368 } }
      await knock(app.url, 'a guess', 'check_run', {
        action: 'completed',
        check_run,
        repository: { full_name: ours.name },
      })
    },
  ],
  [
    'a webhook signed with an empty secret',
    'outsider',
    async ({ app }, ours, sha) => {
      const check_run = { head_sha: sha, name: 'build', conclusion: 'success', app: { id: 15_368 } }
      await knock(app.url, '', 'check_run', { action: 'completed', check_run, repository: { full_name: ours.name } })
    },
  ],
]

async function knock(url: string, secret: string, event: string, payload: object): Promise<void> {
  const body = JSON.stringify(payload)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'x-github-event': event, 'x-github-delivery': 'forged', 'x-hub-signature-256': signature }
  await fetch(`${url}/api/github/webhooks`, { method: 'POST', body, headers })
}

const counted: readonly Case[] = elsewhere.map(([words, role, act]) => ({
  role,
  name: `${words} counts for nothing here`,
  play: async (scene) => {
    const ours = await scene.shop()
    const sha = await ours.push()
    await ours.open()
    scene.never(ours, sha)
    await act(scene, ours, sha)
  },
}))

const floods: readonly Case[] = [
  ['bodies of twenty megabytes that nobody signed', 40, 20 * 1024 * 1024],
  ['two thousand small requests at once', 2_000, 10],
].map(([words, count, size]) => ({
  role: 'outsider',
  name: `${words} at the door`,
  play: async (scene) => {
    const shop = await scene.shop()
    const body = 'x'.repeat(Number(size))
    const send = () => fetch(`${scene.app.url}/api/github/webhooks`, { method: 'POST', body }).catch(() => null)
    await Promise.all(Array.from({ length: Number(count) }, send))
    await honest(scene, shop)
  },
}))

export const tenantCases: readonly Case[] = [...besides, ...restarts, ...counted, ...floods]
