// What others write, and where it comes out again: mentions, links and pictures in our words, secrets in the output of a
// check, letters that steer a terminal. And how loud a stranger can make us.
import type { Shop } from '../../app/lab/shop.ts'
import { each, type Case, type Role, type Scene } from '../case.ts'

const secret = (kind: string, length: number): string => `${kind}${'a1B2c3D4e5F6'.repeat(5).slice(0, length)}`
const payloads: readonly (readonly [string, string])[] = [
  ['a mention', 'ask @victim and @acme/everyone'],
  ['a link', 'see https://evil.example/login and [here](https://evil.example)'],
  ['a picture', '![x](https://evil.example/pixel.png) <img src="https://evil.example/p.png">'],
  ['a token of GitHub', secret('ghp_', 36)],
  ['a key of a model', secret('sk-ant-api03-', 60)],
  ['a key of a cloud', 'AKIAIOSFODNN7EXAMPLQ'],
]

type Channel = readonly [string, Role, (scene: Scene, shop: Shop, text: string) => Promise<string>]
/** Gives the commit on which it may be shown. */
const channels: readonly Channel[] = [
  [
    'the output of an adopted check',
    'code under test',
    async ({ github }, shop, text) => {
      const sha = await shop.push()
      await shop.open()
      const output = { title: text, summary: text, text, annotations: [] }
      github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure', output })
      return sha
    },
  ],
  [
    'the reason of a rejection',
    'writer',
    async ({ github }, shop, text) => {
      const sha = await shop.push()
      const number = await shop.open()
      github.comment(shop.name, number, { body: `/reject ${text}`, by: 'eve' })
      return sha
    },
  ],
  [
    'a review that requests changes',
    'writer',
    async ({ github }, shop, text) => {
      const sha = await shop.push()
      const number = await shop.open()
      github.review(shop.name, number, { by: 'eve', event: 'REQUEST_CHANGES', body: text })
      return sha
    },
  ],
  [
    'a command that there is not',
    'outsider',
    async ({ github }, shop, text) => {
      const sha = await shop.push()
      const number = await shop.open()
      github.comment(shop.name, number, { body: `/countersign ${text}`, by: 'dan' })
      return sha
    },
  ],
  [
    'the copy of the policy in the change',
    'agent',
    async (_scene, shop, text) => {
      const sha = await shop.push('feature', 'agent', { '.github/countersign.yml': `'${text}': 1\nmode: '${text}'\n` })
      await shop.open()
      return sha
    },
  ],
  [
    'the criteria of an issue',
    'outsider',
    async ({ github }, shop, text) => {
      const issue = github.openIssue(shop.name, {
        title: text,
        body: `## Acceptance criteria\n\n- ${text}\n`,
        by: 'dan',
      })
      const sha = await shop.push()
      await shop.open('agent', { body: `closes #${issue}` })
      await shop.build(sha, 'failure')
      return sha
    },
  ],
]

/** Everything that we show of a pull request, without what stands in code, where nothing of it acts. */
async function shownBy(
  scene: Scene,
  shop: Shop,
  sha: string,
): Promise<{ readonly all: string; readonly acting: string }> {
  const { runs } = scene.github.checksOn(shop.name, sha)
  const own = runs.filter(({ app }) => app === scene.github.app.slug)
  const numbers = [1, 2, 3]
  const comments = await Promise.all(numbers.map((number) => shop.comments(number).catch(() => [])))
  const all = [...own.flatMap(({ title, summary, text }) => [title, summary, text]), ...comments.flat()].join('\n')
  return { all, acting: all.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replace(/(`+)[\s\S]*?\1/g, '') }
}

const acts = /@victim|@acme\/everyone|https:\/\/evil|\]\(https?:\/\/evil|<img/
const secrets = /ghp_[a-zA-Z0-9]{36}|sk-ant-api03-[a-zA-Z0-9]{60}|AKIA[A-Z0-9]{16}/

const shown: readonly Case[] = each(channels, payloads, ([place, role, write], [words, text]) => ({
  role,
  name: `${words} in ${place}`,
  play: async (scene) => {
    const shop = await scene.shop()
    const sha = await write(scene, shop, text)
    await scene.settled()
    const { all, acting } = await shownBy(scene, shop, sha)
    scene.given(all !== '', 'something is shown')
    scene.must(!secrets.test(all), 'no secret is shown')
    scene.must(!acts.test(acting), 'nothing of it acts on the page')
  },
}))

const loud: readonly Case[] = ['/override x', '/status', '/countersign bogus', '/approve x\n/reject y'].map(
  (words) => ({
    role: 'outsider',
    name: `twelve comments of a stranger that say ${JSON.stringify(words)}`,
    play: async (scene) => {
      const shop = await scene.shop()
      await shop.build(await shop.push(), 'failure')
      const number = await shop.open()
      const before = (await shop.comments(number)).length
      for (let one = 0; one < 12; one += 1) scene.github.comment(shop.name, number, { body: words, by: 'dan' })
      await scene.settled()
      const after = (await shop.comments(number)).length
      scene.must(after - before <= 6, `two comments of a stranger cause at most one of ours: ${after - before} of 12`)
    },
  }),
)

export const wordCases: readonly Case[] = [...shown, ...loud]
