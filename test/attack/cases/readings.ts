// Readings that are not of the moment, lists that are cut, stacks and merge queues: whoever pushes at the right time would
// like the App to judge one thing by another.
import type { Shop } from '../../app/lab/shop.ts'
import type { Trouble } from '../../github/wire/faults.ts'
import { each, type Case, type Scene } from '../case.ts'

const build = '{ name: build, check_run: build, app: github-actions }'
const strict = `verification: { checks: [${build}] }\nscope: { deny: ['vendor/**'] }\nprotected_paths: ['guarded/**']\n`

const touched = [
  ['leaves its scope', 'vendor/evil.js'],
  ['touches a protected path', 'guarded/door.ts'],
  ['brings a policy of its own', '.github/countersign.yml'],
] as const

type Reading = readonly [string, (scene: Scene, shop: Shop) => void]
const stale: Trouble = { kind: 'stale' }
const readings: readonly Reading[] = [
  ['the first reading is stale', ({ github }) => github.addFault({ times: 1, trouble: stale })],
  ['five readings are stale', ({ github }) => github.addFault({ times: 5, trouble: stale })],
  ['every list of files is stale', ({ github }) => github.addFault({ path: '/repos/*/files', trouble: stale })],
  ['every query is stale', ({ github }) => github.addFault({ path: '/graphql', trouble: stale })],
  ['every pull request is stale', ({ github }) => github.addFault({ path: '/repos/*/pulls/*', trouble: stale })],
  [
    'the list of files is refused for its length',
    ({ github }) =>
      github.addFault({
        path: '/repos/*/files',
        trouble: { kind: 'answer', status: 422, message: 'Sorry, this diff is taking too long to generate.' },
      }),
  ],
  [
    'lists begin with nothing',
    ({ github }) => github.addFault({ path: '/graphql', trouble: { kind: 'null', field: 'nodes', where: 'first' } }),
  ],
  [
    'lists are nothing',
    ({ github }) => github.addFault({ path: '/graphql', trouble: { kind: 'null', field: 'nodes', where: 'instead' } }),
  ],
]

const pushed: readonly Case[] = each(touched, readings, ([words, path], [when, order]) => ({
  role: 'agent',
  name: `a push that ${words}, and ${when}`,
  patient: !when.includes('refused'),
  play: async (scene) => {
    const shop = await scene.shop(strict)
    const first = await shop.push()
    await shop.open()
    await shop.build(first, 'success')
    scene.given((await shop.check(first)).startsWith('success'), 'the harmless push is green')
    order(scene, shop)
    const sha = scene.github.push(shop.name, 'feature', { files: { [path]: 'mode: off\n' }, author: 'agent' })
    scene.never(shop, sha)
    scene.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  },
}))

const long: readonly Case[] = [
  {
    role: 'writer',
    name: 'a maintainer overrides what they wrote as the 255th of 260 commits',
    play: async (scene) => {
      const shop = await scene.shop()
      const { github } = scene
      for (let one = 1; one <= 260; one += 1) {
        const author = one === 255 ? 'ada' : 'agent'
        github.push(shop.name, 'feature', { files: { 'src/shop.ts': `${one}\n` }, author, pusher: 'agent' })
      }
      const sha = github.tip(shop.name, 'feature')
      const number = await shop.open()
      await shop.build(sha, 'failure')
      scene.never(shop, sha)
      await shop.say(number, 'ada', '/override flaky')
    },
  },
  ...(['read', 'write'] as const).map((role): Case => {
    return {
      role: 'writer',
      name: `a maintainer claims to be alone, and another stands behind two thousand people who may ${role}`,
      play: async (scene) => {
        const shop = await scene.shop()
        const { github } = scene
        github.setMember(shop.org, 'cleo', 'member')
        github.addCrowd(shop.name, 2_050, role)
        github.setPermission(shop.name, `zoe-of-${shop.org}`, 'maintain')
        const sha = await shop.push('feature', 'ada')
        const number = await shop.open('ada')
        await shop.build(sha, 'failure')
        scene.never(shop, sha)
        await shop.say(number, 'ada', '/override I am alone')
      },
    }
  }),
  {
    role: 'writer',
    name: 'a maintainer claims to be alone while the list of collaborators breaks off',
    play: async (scene) => {
      const shop = await scene.shop()
      const { github } = scene
      const sha = await shop.push('feature', 'ada')
      const number = await shop.open('ada')
      await shop.build(sha, 'failure')
      scene.never(shop, sha)
      github.addFault({ path: '/repos/*/collaborators', trouble: { kind: 'answer', status: 404 } })
      await shop.say(number, 'ada', '/override I am alone')
    },
  },
]

/** A change on top of another, whose branch brings a policy that asks for nothing. */
async function aStack(scene: Scene, policy: string | null) {
  const shop = await scene.shop()
  const { github } = scene
  github.push(shop.name, 'below', { files: { '.github/countersign.yml': policy }, author: 'agent' })
  const sha = github.push(shop.name, 'above', { from: 'below', files: { 'src/a.ts': 'one\n' }, author: 'agent' })
  scene.never(shop, sha)
  const bottom = github.openPull(shop.name, { title: 'Below', head: 'below', by: 'agent' })
  const top = github.openPull(shop.name, { title: 'Above', head: 'above', base: 'below', by: 'agent' })
  return { shop, sha, bottom, top }
}

const stackMoves: readonly (readonly [
  string,
  (scene: Scene, made: Awaited<ReturnType<typeof aStack>>) => Promise<void>,
])[] = [
  ['stacked', async ({ github }, { shop, bottom, top }) => void github.stack(shop.name, [bottom, top], 'agent')],
  [
    'stacked after it was judged',
    async ({ github, settled }, { shop, bottom, top }) => {
      await settled()
      github.stack(shop.name, [bottom, top], 'agent')
    },
  ],
  [
    'stacked, and then taken out and retargeted',
    async ({ github, settled }, { shop, bottom, top }) => {
      const stack = github.stack(shop.name, [bottom, top], 'agent')
      await settled()
      github.unstack(shop.name, stack)
      github.editPull(shop.name, top, { base: 'main', by: 'agent' })
    },
  ],
]

const stacks: readonly Case[] = each(['mode: off\n', 'mode: shadow\n', null], stackMoves, (policy, [words, move]) => ({
  role: 'agent',
  name: `a pull request on a branch with ${policy === null ? 'no policy' : policy.trim()} is ${words}`,
  play: async (scene) => {
    const made = await aStack(scene, policy)
    await move(scene, made)
  },
}))

const queueMoves: readonly (readonly [string, (scene: Scene, shop: Shop, number: number) => void])[] = [
  ['rejected', ({ github }, { name }, number) => github.comment(name, number, { body: '/reject no', by: 'bob' })],
  [
    'pushed to',
    ({ github }, { name }) => github.push(name, 'feature', { files: { 'src/x.ts': 'x\n' }, author: 'agent' }),
  ],
  ['retargeted', ({ github }, { name }, number) => github.editPull(name, number, { base: 'release', by: 'agent' })],
  ['made a draft', ({ github }, { name }, number) => github.setDraft(name, number, true, 'agent')],
]

const queues: readonly Case[] = [
  ...queueMoves.map(([words, move]): Case => {
    return {
      role: 'agent',
      name: `a member of a merge group is ${words} before the group is built`,
      play: async (scene) => {
        const shop = await scene.shop()
        scene.github.push(shop.name, 'release', { files: { 'notes.md': 'x' }, author: 'cleo' })
        const sha = await shop.push()
        const number = await shop.open()
        await shop.build(sha, 'success')
        const group = scene.github.mergeGroup(shop.name, [number], 'ada').headSha
        await scene.settled()
        move(scene, shop, number)
        await scene.settled()
        scene.never(shop, group)
        await shop.build(group, 'success')
      },
    }
  }),
  {
    role: 'agent',
    name: 'a merge group holds a second pull request that nobody built',
    play: async (scene) => {
      const shop = await scene.shop()
      const sha = await shop.push()
      const first = await shop.open()
      await shop.build(sha, 'success')
      scene.github.push(shop.name, 'second', { from: 'main', files: { 'src/b.ts': 'b\n' }, author: 'agent' })
      const second = await shop.open('agent', { head: 'second' })
      const group = scene.github.mergeGroup(shop.name, [second, first], 'ada').headSha
      scene.never(shop, group)
      await shop.build(group, 'success')
    },
  },
]

export const readingCases: readonly Case[] = [...pushed, ...long, ...stacks, ...queues]
