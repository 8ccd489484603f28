// A pull request that goes to one base and is judged by another's rules: the base is switched between the webhook and the
// reading, between two readings, or after a lenient base was satisfied.
import type { Shop } from '../../app/lab/shop.ts'
import { each, type Case, type Role, type Scene } from '../case.ts'

type Lenient = { readonly kind: string; readonly policy: string | null }
const lenient: readonly Lenient[] = [
  { kind: 'a policy that is off', policy: 'mode: off\n' },
  {
    kind: 'a policy in shadow mode',
    policy: 'mode: shadow\nverification: { checks: [{ name: other, check_run: other }] }\n',
  },
  { kind: 'no policy', policy: null },
  {
    kind: 'a policy that asks for another check',
    policy: 'verification: { checks: [{ name: other, check_run: other }] }\n',
  },
]

/** A branch `loose` with lenient rules, and a change that nobody has built. An outsider comes from a fork. */
export async function aLooseBase(scene: Scene, { policy }: Lenient, role: Role) {
  const shop = await scene.shop()
  const { github } = scene
  github.push(shop.name, 'loose', { files: { '.github/countersign.yml': policy, 'notes.md': 'x' }, author: 'cleo' })
  const by = role === 'outsider' ? 'dan' : role === 'agent' ? 'agent' : 'eve'
  const home = role === 'outsider' ? github.fork(shop.name, `dan-of-${shop.org}`) : shop.name
  const sha = github.push(home, 'feature', { files: { 'src/a.ts': 'one\n' }, author: by })
  const head = home === shop.name ? 'feature' : `dan-of-${shop.org}:feature`
  return { shop, sha, by, open: (base: string) => github.openPull(shop.name, { title: 'One', head, base, by }) }
}

const other = ({ github }: Scene, { name }: Shop, sha: string) =>
  github.reportCheck(name, { name: 'other', sha, conclusion: 'success' })

const switched: readonly Case[] = each(lenient, [0, 1, 2, 4], (base, reading) => {
  const role: Role = reading % 2 === 0 ? 'outsider' : 'writer'
  return {
    role,
    name: `the base is switched to one with ${base.kind} before reading ${reading + 1}, and back`,
    play: async (scene) => {
      const { shop, sha, by, open } = await aLooseBase(scene, base, role)
      scene.never(shop, sha)
      const pull = { number: 0 }
      const to = (base: string) => () => scene.github.editPull(shop.name, pull.number, { base, by })
      scene.github.before({ skip: reading }, to('loose'))
      scene.github.before({ skip: reading + 3 }, to('main'))
      pull.number = open('main')
      other(scene, shop, sha)
      await scene.settled()
      to('main')()
    },
  }
})

const switchedOver: readonly Case[] = each(lenient, [0, 2], (base, reading) => ({
  role: 'writer',
  name: `opened on a base with ${base.kind}, and switched to the default branch before reading ${reading + 1}`,
  play: async (scene) => {
    const { shop, sha, by, open } = await aLooseBase(scene, base, 'writer')
    scene.never(shop, sha)
    const pull = { number: 0 }
    scene.github.before({ skip: reading }, () => scene.github.editPull(shop.name, pull.number, { base: 'main', by }))
    pull.number = open('loose')
    other(scene, shop, sha)
  },
}))

type Move = readonly [string, (scene: Scene, shop: Shop, number: number, by: string) => Promise<void>]
const moves: readonly Move[] = [
  [
    'then retargeted to the default branch',
    async ({ github }, { name }, number, by) => github.editPull(name, number, { base: 'main', by }),
  ],
  [
    'then closed, retargeted and opened again',
    async ({ github }, { name }, number, by) => {
      github.closePull(name, number, by)
      github.editPull(name, number, { base: 'main', by })
      github.reopenPull(name, number, by)
    },
  ],
  [
    'then retargeted as a draft',
    async ({ github, settled }, { name }, number, by) => {
      github.setDraft(name, number, true, by)
      await settled()
      github.editPull(name, number, { base: 'main', by })
      github.setDraft(name, number, false, by)
    },
  ],
  [
    'then retargeted with its webhooks doubled and out of order',
    async ({ github }, { name }, number, by) => {
      github.setDeliveries({ doubledPercent: 60, shuffleWithin: 6, concurrency: 4 })
      for (const base of ['main', 'loose', 'main']) github.editPull(name, number, { base, by })
    },
  ],
  [
    'then retargeted while readings are stale',
    async ({ github }, { name }, number, by) => {
      github.addFault({ times: 4, trouble: { kind: 'stale' } })
      github.editPull(name, number, { base: 'main', by })
    },
  ],
]

const afterwards: readonly Case[] = each(lenient, moves, (base, [words, move]) => ({
  role: words.includes('stale') ? 'outsider' : 'writer',
  name: `satisfied on a base with ${base.kind}, ${words}`,
  play: async (scene) => {
    const role = words.includes('stale') ? 'outsider' : 'writer'
    const { shop, sha, by, open } = await aLooseBase(scene, base, role)
    const number = open('loose')
    other(scene, shop, sha)
    await scene.settled()
    scene.never(shop, sha)
    await move(scene, shop, number, by)
    await scene.settled()
    other(scene, shop, sha)
  },
}))

const twins: readonly Case[] = lenient.map((base) => ({
  role: 'writer',
  name: `a second pull request of the same commit goes to a base with ${base.kind}`,
  play: async (scene) => {
    const { shop, sha, open } = await aLooseBase(scene, base, 'writer')
    scene.never(shop, sha)
    open('main')
    open('loose')
    other(scene, shop, sha)
  },
}))

export const baseCases: readonly Case[] = [...switched, ...switchedOver, ...afterwards, ...twins]
