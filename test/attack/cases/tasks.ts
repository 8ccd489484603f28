// Tasks that several people share: who may change what is asked, who may take part, and what strangers can do to the pull
// requests of others.
import type { Case, Scene } from '../case.ts'
import type { Shop } from '../../app/lab/shop.ts'

const block = (yaml: string): string => `Make it better.\n\n\`\`\`countersign\n${yaml}\n\`\`\`\n`
const lint = block('verification: { checks: [{ name: lint, check_run: lint }] }')

/** An issue of a maintainer that asks for one check more, and a first attempt at it. */
async function aTask(scene: Scene, policy?: string) {
  const shop = await scene.shop(policy)
  const issue = scene.github.openIssue(shop.name, { title: 'A task', body: lint, by: 'agent' })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `closes #${issue}` })
  await shop.build(sha, 'success')
  scene.given(!(await shop.check(sha)).startsWith('success'), 'the check that the issue asks for is missed')
  return { shop, issue, number, sha }
}
type Task = Awaited<ReturnType<typeof aTask>>

type Edit = readonly [string, (scene: Scene, task: Task) => void]
const edits: readonly Edit[] = [
  [
    'takes the block out of the issue',
    ({ github }, { shop, issue }) => github.editIssue(shop.name, issue, { body: 'Make it better.', by: 'agent' }),
  ],
  [
    'takes "closes" out of the pull request',
    ({ github }, { shop, number }) => github.editPull(shop.name, number, { body: 'nothing', by: 'agent' }),
  ],
  ['closes the issue', ({ github }, { shop, issue }) => github.closeIssue(shop.name, issue, 'agent')],
  [
    'makes the check optional',
    ({ github }, { shop, issue }) =>
      github.editIssue(shop.name, issue, {
        body: block('verification: { checks: [{ name: lint, check_run: lint, required: false }] }'),
        by: 'agent',
      }),
  ],
  [
    'asks for an easier check of the same name',
    ({ github }, { shop, issue }) =>
      github.editIssue(shop.name, issue, {
        body: block('verification: { checks: [{ name: lint, check_run: build }] }'),
        by: 'agent',
      }),
  ],
  [
    'links another issue with a lower number',
    ({ github }, { shop, number, issue }) => {
      const easy = github.openIssue(shop.name, { title: 'Easy', body: 'Anything.', by: 'agent' })
      github.editPull(shop.name, number, { body: `closes #${easy}, not #${issue}`, by: 'agent' })
    },
  ],
]

const ownTasks: readonly Case[] = edits.flatMap(([words, edit]) =>
  ([true, false] as const).map((push) => ({
    role: 'agent' as const,
    name: `the builder ${words}${push ? ', and pushes again' : ''}`,
    play: async (scene: Scene) => {
      const task = await aTask(scene)
      const { shop } = task
      edit(scene, task)
      await scene.settled()
      const sha = push ? await shop.push() : task.sha
      scene.never(shop, sha)
      await shop.build(sha, 'success')
    },
  })),
)

const loosening = 'verification: { retry: { max_attempts: 50 }, verifier: { enabled: false } }'
const limited =
  'identities: { agents: [agent] }\nverification: { checks: [{ name: build, check_run: build }], retry: { max_attempts: 1 } }\n'
type Loose = readonly [string, 'outsider' | 'agent' | 'writer', (scene: Scene, shop: Shop) => number]
const loose: readonly Loose[] = [
  [
    'of a stranger',
    'outsider',
    ({ github }, { name }) => github.openIssue(name, { title: 'A task', body: block(loosening), by: 'dan' }),
  ],
  [
    'of the builder',
    'agent',
    ({ github }, { name }) => github.openIssue(name, { title: 'A task', body: block(loosening), by: 'agent' }),
  ],
  [
    'of somebody who may only write',
    'writer',
    ({ github }, { name }) => github.openIssue(name, { title: 'A task', body: block(loosening), by: 'eve' }),
  ],
  [
    'of a maintainer that a writer edited',
    'writer',
    ({ github }, { name }) => {
      const issue = github.openIssue(name, { title: 'A task', body: 'Make it better.', by: 'ada' })
      github.editIssue(name, issue, { body: block(loosening), by: 'eve' })
      return issue
    },
  ],
  [
    'of a maintainer that is closed',
    'writer',
    ({ github }, { name }) => {
      const issue = github.openIssue(name, { title: 'A task', body: block(loosening), by: 'ada' })
      github.closeIssue(name, issue, 'ada')
      return issue
    },
  ],
]

const loosened: readonly Case[] = loose.map(([words, role, issueOf]) => ({
  role,
  name: `more attempts by the words of an issue ${words}`,
  play: async (scene) => {
    const shop = await scene.shop(limited)
    const issue = issueOf(scene, shop)
    const first = await shop.push()
    const number = await shop.open('agent', { body: `closes #${issue}`, draft: true })
    // The link is fine, so that it is the words that count.
    scene.github.linkIssue(shop.name, number, issue, 'ada')
    scene.github.setDraft(shop.name, number, false, 'agent')
    await scene.settled()
    await shop.build(first, 'failure')
    const second = await shop.push()
    scene.never(shop, second)
    await shop.build(second, 'success')
  },
}))

/** A stranger opens a pull request of the same task, from a fork. */
function aStrangersPull({ github }: Scene, shop: Shop, body: string, files: Record<string, string> | null): string {
  const home = github.fork(shop.name, `dan-of-${shop.org}`)
  if (files !== null) github.push(home, 'feature', { files, author: `dan-of-${shop.org}` })
  const head = `dan-of-${shop.org}:feature`
  github.openPull(shop.name, { title: 'Mine', head, body, by: `dan-of-${shop.org}` })
  return github.tip(home, 'feature')
}

type Harm = readonly [string, (scene: Scene, shop: Shop, sha: string) => Promise<void>]
const harms: readonly Harm[] = [
  [
    'names the maintainers as co-authors',
    async (scene, shop) => {
      const home = scene.github.fork(shop.name, `dan-of-${shop.org}`)
      const message =
        'Better\n\nCo-authored-by: Ada <ada@users.noreply.github.com>\nCo-authored-by: Cleo <cleo@users.noreply.github.com>'
      scene.github.push(home, 'mine', { files: { 'src/x.ts': 'x\n' }, message, author: `dan-of-${shop.org}` })
      const head = `dan-of-${shop.org}:mine`
      scene.github.openPull(shop.name, { title: 'Mine', head, body: 'closes #1', by: `dan-of-${shop.org}` })
    },
  ],
  [
    'uses up the attempts of the task',
    async (scene, shop) => {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const sha = scene.github.push(
          attempt === 0 ? scene.github.fork(shop.name, `dan-of-${shop.org}`) : `dan-of-${shop.org}/shop`,
          'mine',
          { files: { 'src/x.ts': `${attempt}\n` }, author: `dan-of-${shop.org}` },
        )
        const head = `dan-of-${shop.org}:mine`
        const by = `dan-of-${shop.org}`
        if (attempt === 0) scene.github.openPull(shop.name, { title: 'Mine', head, body: 'closes #1', by })
        await shop.build(sha, 'failure')
      }
    },
  ],
  [
    'opens a pull request of the same commit, and closes it',
    async (scene, shop, sha) => {
      scene.given(aStrangersPull(scene, shop, 'closes #1', null) === sha, 'the commit is the same')
      await scene.settled()
      scene.github.closePull(shop.name, 3, `dan-of-${shop.org}`)
    },
  ],
  [
    'opens a pull request of the same commit that waits',
    async (scene, shop, sha) => {
      const body = block('verification: { checks: [{ name: never, check_run: never }] }')
      scene.given(aStrangersPull(scene, shop, body, null) === sha, 'the commit is the same')
    },
  ],
  [
    'opens an endless pull request of the same task',
    async (scene, shop) => {
      aStrangersPull(scene, shop, 'closes #1', { 'vendor/x.js': 'x\n', '.github/workflows/x.yml': 'on: push\n' })
    },
  ],
  [
    'names our own account as co-author',
    async (scene, shop) => {
      const message = 'Better\n\nCo-authored-by: countersign[bot] <countersign[bot]@users.noreply.github.com>'
      const home = scene.github.fork(shop.name, `dan-of-${shop.org}`)
      scene.github.push(home, 'mine', { files: { 'src/x.ts': 'x\n' }, message, author: `dan-of-${shop.org}` })
      const head = `dan-of-${shop.org}:mine`
      scene.github.openPull(shop.name, { title: 'Mine', head, body: 'closes #1', by: `dan-of-${shop.org}` })
    },
  ],
]

const harmed: readonly Case[] = harms.map(([words, harm]) => ({
  role: 'outsider',
  name: `a stranger ${words}, and the honest change still turns green`,
  play: async (scene) => {
    const shop = await scene.shop()
    scene.github.openIssue(shop.name, { title: 'A task', body: 'Make it better.', by: 'ada' })
    const sha = await shop.push()
    const number = await shop.open('agent', { body: 'closes #1' })
    await harm(scene, shop, sha)
    await scene.settled()
    await shop.build(sha, 'success')
    scene.must((await shop.check(sha)).startsWith('success'), 'its build decides')
    await shop.build(sha, 'failure')
    await shop.say(number, 'ada', '/override the runner is broken')
    scene.must((await shop.check(sha)).startsWith('success'), 'a maintainer who built nothing may override')
  },
}))

export const taskCases: readonly Case[] = [...ownTasks, ...loosened, ...harmed]
