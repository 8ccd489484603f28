// What people may do to let a change pass, and who tries to do it without being entitled: every act by every wrong identity.
// The right identity does each once too, so that none holds for another reason.
import type { Shop } from '../../app/lab/shop.ts'
import type { Push } from '../../github/verbs/push.ts'
import { each, type Case, type Role, type Scene } from '../case.ts'

const build = '{ name: build, check_run: build, app: github-actions }'
const policyWith = (more: string): string =>
  `identities: { agents: [agent], owners: { 'helper[bot]': ada } }\nverification: { checks: [${build}] }\n${more}`

type Actor = { readonly by: string; readonly via?: string }
export type Act = {
  readonly words: string
  readonly policy: string
  readonly files: Readonly<Record<string, string>>
  readonly built: 'success' | 'failure'
  /** An attempt before this one failed, and was the last. */
  readonly spent?: boolean
  readonly perform: (scene: Scene, shop: Shop, number: number, actor: Actor) => Promise<void>
}
const said =
  (body: string): Act['perform'] =>
  async ({ github }, { name }, number, actor) =>
    void github.comment(name, number, { body, ...actor })

const acts: readonly Act[] = [
  { words: '`/override`', policy: policyWith(''), files: {}, built: 'failure', perform: said('/override flaky') },
  {
    words: 'an override of one check',
    policy: policyWith(''),
    files: {},
    built: 'failure',
    perform: said('/override --check build flaky'),
  },
  {
    words: '`/approve`',
    policy: policyWith('override_policy: { direct_approval_allowed: true }\n'),
    files: {},
    built: 'failure',
    perform: said('/approve I read it'),
  },
  {
    words: '`/ack`',
    policy: policyWith('protected_paths: [guarded/**]\n'),
    files: { 'guarded/a.ts': 'one\n' },
    built: 'success',
    perform: said('/ack it moves'),
  },
  {
    words: '`/retry`',
    policy: `identities: { agents: [agent], owners: { 'helper[bot]': ada } }\nverification: { checks: [${build}], retry: { max_attempts: 1, applies_to: everyone } }\n`,
    files: {},
    built: 'success',
    spent: true,
    perform: said('/retry once more'),
  },
  {
    words: 'a label with its reason',
    policy: policyWith(''),
    files: {},
    built: 'failure',
    perform: async ({ github, settled }, { name }, number, { by, via }) => {
      github.label(name, number, 'countersign:override', by)
      await settled()
      github.comment(name, number, { body: '/reason flaky', by, ...(via === undefined ? {} : { via }) })
    },
  },
  {
    words: 'an approving review',
    policy: policyWith('merge_requires: completed\n'),
    files: {},
    built: 'success',
    perform: async ({ github }, { name }, number, { by }) => void github.review(name, number, { by, event: 'APPROVE' }),
  },
]

type Identity = {
  readonly words: string
  readonly role: Role
  /** Who made the change, which the agent opens; left out, the agent did. */
  readonly push?: Partial<Push>
  readonly actor: Actor
  /** What happens between the change and the act. */
  readonly before?: (scene: Scene, shop: Shop) => void
}
/** A maintainer who is in this repository only. */
const monaOf = ({ org }: Shop): string => `mona-of-${org}`
const ghost = { name: 'Ghost', email: 'ghost@nowhere.example' }
const identities: readonly Identity[] = [
  { words: 'a stranger', role: 'outsider', actor: { by: 'dan' } },
  { words: 'somebody who may only read', role: 'outsider', actor: { by: 'rae' } },
  {
    words: 'a maintainer who wrote it',
    role: 'writer',
    push: { author: 'ada', pusher: 'agent' },
    actor: { by: 'ada' },
  },
  {
    words: 'a maintainer who committed it',
    role: 'writer',
    push: { author: ghost, committer: 'ada', pusher: 'agent' },
    actor: { by: 'ada' },
  },
  {
    words: 'a maintainer who pushed it under an unknown name, before the pull request was there',
    role: 'writer',
    push: { author: ghost, pusher: 'ada' },
    actor: { by: 'ada' },
  },
  {
    words: 'a maintainer named as co-author by the address that GitHub gives',
    role: 'writer',
    push: { author: 'agent', message: 'Better\n\nCo-authored-by: Ada <ada@users.noreply.github.com>' },
    actor: { by: 'ada' },
  },
  {
    words: 'a maintainer named as co-author by an address of her own',
    role: 'writer',
    push: { author: 'agent', message: 'Better\n\nCo-authored-by: Ada <ada@example.com>' },
    actor: { by: 'ada' },
  },
  {
    words: 'the person behind the bot that made it',
    role: 'agent',
    push: { author: 'helper[bot]', pusher: 'helper[bot]' },
    actor: { by: 'ada' },
  },
  { words: 'a bot with the permission of a maintainer', role: 'agent', actor: { by: 'helper[bot]' } },
  { words: "an App with a maintainer's token", role: 'agent', actor: { by: 'ada', via: 'helper' } },
  {
    words: 'a stranger who took the name of a maintainer',
    role: 'outsider',
    actor: { by: 'mona' },
    before: ({ github }, shop) => {
      github.renameAccount(monaOf(shop), `former-${monaOf(shop)}`)
      github.createUser(monaOf(shop), { email: `taken@${shop.org}.example` })
    },
  },
  {
    words: 'a maintainer who wrote it, under a new name',
    role: 'writer',
    push: { author: 'mona', pusher: 'agent' },
    actor: { by: 'later-mona' },
    before: ({ github }, shop) => github.renameAccount(monaOf(shop), `later-${monaOf(shop)}`),
  },
  {
    words: 'somebody who was a maintainer a moment ago',
    role: 'writer',
    actor: { by: 'mona' },
    before: ({ github }, shop) => github.setPermission(shop.name, monaOf(shop), 'read'),
  },
]

async function tried(scene: Scene, act: Act, { push, actor, before }: Omit<Identity, 'words' | 'role'>) {
  const shop = await scene.shop(act.policy)
  const { github } = scene
  const named = (login: string): string => login.replace('mona', monaOf(shop))
  github.setPermission(shop.name, monaOf(shop), 'maintain')
  github.setPermission(shop.name, 'rae', 'read')
  github.setPermission(shop.name, 'helper[bot]', 'maintain')
  if (act.spent === true) {
    const first = await shop.push()
    await shop.open()
    await shop.build(first, 'failure')
  }
  const files = { 'src/shop.ts': 'export const better = true\n', ...act.files }
  const sha = github.push(shop.name, 'feature', {
    files,
    author: 'agent',
    ...push,
    ...(push?.author === 'mona' ? { author: monaOf(shop) } : {}),
  })
  await scene.settled()
  const number = act.spent === true ? 1 : await shop.open()
  await shop.build(sha, act.built)
  scene.given(!(await shop.check(sha)).startsWith('success'), 'the change waits for somebody')
  before?.(scene, shop)
  return { shop, sha, number, perform: () => act.perform(scene, shop, number, { ...actor, by: named(actor.by) }) }
}

const wrong: readonly Case[] = each(acts, identities, (act, identity) => ({
  role: identity.role,
  name: `${act.words} by ${identity.words}`,
  play: async (scene) => {
    const { shop, sha, perform } = await tried(scene, act, identity)
    scene.never(shop, sha)
    await perform()
  },
}))

const right: readonly Case[] = acts.map((act) => ({
  role: 'writer',
  name: `${act.words} by an administrator who built nothing counts`,
  play: async (scene) => {
    const { shop, sha, perform } = await tried(scene, act, { actor: { by: 'cleo' } })
    await perform()
    await scene.settled()
    scene.must((await shop.check(sha)).startsWith('success'), 'the act counts')
  },
}))

/** A review does not tell whether an App made it with a person's token, so it cannot be asked of anybody. */
const untold = "an approving review by an App with a maintainer's token"

export const actCases: readonly Case[] = [...wrong.filter(({ name }) => name !== untold), ...right]
