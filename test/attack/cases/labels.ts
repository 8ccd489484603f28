// Labels are acts: who removes one takes back that act and nothing else, and what policy forbids is no act. And the honest
// ways that the attacks before would love to see closed: stacks, and queues of a repository that is switched off.
import type { Case, Scene } from '../case.ts'
import type { Shop } from '../../app/lab/shop.ts'

async function aChange(scene: Scene, built: 'success' | 'failure', policy?: string) {
  const shop = await scene.shop(policy)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, built)
  return { shop, sha, number }
}

async function labelled({ github, settled }: Scene, { name }: Shop, number: number, label: string, by: string) {
  github.label(name, number, `countersign:${label}`, by)
  await settled()
}

const removed: readonly Case[] = [
  {
    role: 'agent',
    name: 'a label of a rejection is removed while the same person rejects in words too',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'success')
      await shop.say(number, 'bob', '/reject not this way')
      await labelled(scene, shop, number, 'reject', 'bob')
      await shop.say(number, 'bob', '/reason not this way')
      scene.never(shop, sha)
      scene.github.unlabel(shop.name, number, 'countersign:reject', 'agent')
    },
  },
  {
    role: 'writer',
    name: 'a label is removed before its reason is given',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'failure')
      await labelled(scene, shop, number, 'override', 'ada')
      scene.never(shop, sha)
      scene.github.unlabel(shop.name, number, 'countersign:override', 'eve')
      await scene.settled()
      await shop.say(number, 'ada', '/reason flaky')
    },
  },
  {
    role: 'writer',
    name: 'a label is removed after its reason was given',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'failure')
      await labelled(scene, shop, number, 'override', 'ada')
      await shop.say(number, 'ada', '/reason flaky')
      scene.given((await shop.check(sha)).startsWith('success'), 'the act counts')
      scene.never(shop, sha)
      scene.github.unlabel(shop.name, number, 'countersign:override', 'ada')
    },
  },
  {
    role: 'writer',
    name: 'a label whose reason somebody else gives',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'failure')
      scene.never(shop, sha)
      await labelled(scene, shop, number, 'override', 'ada')
      await shop.say(number, 'eve', '/reason flaky')
    },
  },
  {
    role: 'writer',
    name: 'a label of an approval that policy forbids',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'failure')
      scene.never(shop, sha)
      await labelled(scene, shop, number, 'approve', 'ada')
      await shop.say(number, 'ada', '/reason I read it')
      scene.must(!(await shop.labels(number)).includes('countersign:approve'), 'the label is removed')
    },
  },
  {
    role: 'writer',
    name: 'a label in other letters',
    play: async (scene) => {
      const { shop, sha, number } = await aChange(scene, 'success')
      scene.github.label(shop.name, number, 'Countersign:Reject', 'bob')
      await scene.settled()
      scene.never(shop, sha)
      await shop.say(number, 'bob', '/reason not this way')
      await shop.build(sha, 'success')
    },
  },
]

const honest: readonly Case[] = [
  {
    role: 'agent',
    name: 'an honest pull request of a stack gets the check that the base of the stack requires',
    play: async (scene) => {
      const shop = await scene.shop()
      const { github } = scene
      github.push(shop.name, 'below', { files: { 'src/b.ts': 'one\n' }, author: 'agent' })
      const sha = github.push(shop.name, 'above', { from: 'below', files: { 'src/a.ts': 'one\n' }, author: 'agent' })
      const bottom = github.openPull(shop.name, { title: 'Below', head: 'below', by: 'agent' })
      const top = github.openPull(shop.name, { title: 'Above', head: 'above', base: 'below', by: 'agent' })
      github.stack(shop.name, [bottom, top], 'agent')
      await shop.build(sha, 'success')
      scene.must((await shop.check(sha)).startsWith('success'), 'it is judged by the policy of the base of the stack')
    },
  },
  ...['mode: off\n', null].map((policy): Case => {
    return {
      role: 'agent',
      name: `a merge group where there is ${policy === null ? 'no policy' : policy.trim()} says what its member says`,
      play: async (scene) => {
        const shop = await scene.shop(policy)
        const sha = await shop.push()
        const number = await shop.open()
        const { headSha } = scene.github.mergeGroup(shop.name, [number], 'ada')
        await scene.settled()
        const [member, group] = [await shop.check(sha), await shop.check(headSha)].map((text) => text.split(':')[0])
        scene.must(member === group, `the member says ${member}, and the group ${group}`)
      },
    }
  }),
]

export const labelCases: readonly Case[] = [...removed, ...honest]
