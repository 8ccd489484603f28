// Everybody who counts as a maker of an attempt: author, pusher, commit authors and committers, co-authors, and the
// human behind each bot. In doubt somebody is one; the set only grows.
import type { Policy } from '../contract/policy.ts'
import { sameLogin, type Builder, type MadeAs, type Person } from './people.ts'

export type CommitMade = {
  readonly sha: string
  /** Logins, or null where the e-mail address belongs to no account. */
  readonly author: Maker | null
  readonly committer: Maker | null
  readonly message: string
}
export type Maker = { readonly login: string; readonly kind: 'human' | 'bot' }
export type Making = {
  readonly author: Maker
  /** Whoever moved the head, when a webhook said so. */
  readonly pusher: Maker | null
  readonly commits: readonly CommitMade[]
}
export type BuilderSet = { readonly builders: readonly Builder[]; readonly known: boolean }

/** GitHub commits in the name of people who merge or edit on the web. */
const webFlow = 'web-flow'

/** `known` is false when a commit belongs to nobody and nobody is known to have pushed it. */
export function buildersOf(
  making: Making,
  identities: Policy['identities'],
  personCalled: (login: string) => Person,
): BuilderSet {
  const made = new Map<string, { maker: Maker; via: Set<MadeAs> }>()
  const count = (maker: Maker, via: MadeAs): void => {
    const key = maker.login.toLowerCase()
    const known = made.get(key) ?? { maker, via: new Set<MadeAs>() }
    known.via.add(via)
    made.set(key, known)
  }
  count(making.author, 'author')
  if (making.pusher !== null) count(making.pusher, 'pusher')
  let known = true
  for (const { author, committer, message } of making.commits) {
    if (author !== null) count(author, 'commit_author')
    if (committer !== null && committer.login !== webFlow) count(committer, 'committer')
    if ((author === null || committer === null) && making.pusher === null) known = false
    for (const login of coAuthors(message))
      count({ login, kind: login.endsWith('[bot]') ? 'bot' : 'human' }, 'co_author')
  }
  for (const { maker } of made.values()) {
    const owner = ownerOf(maker.login, identities.owners)
    if (owner !== null) count({ login: owner, kind: 'human' }, 'owner')
  }
  const builders = [...made.values()].map(({ maker, via }): Builder => ({
    ...personCalled(maker.login),
    kind: maker.kind,
    via: [...via],
  }))
  return { builders, known }
}

function ownerOf(login: string, owners: Readonly<Record<string, string>>): string | null {
  const entry = Object.entries(owners).find(([bot]) => sameLogin(bot, login))
  return entry?.[1] ?? null
}

const TRAILERS_MAX = 100
const trailer = /^(?:co-authored-by|spawned-by)\s*:\s*(.+)$/gim
const privateAddress = /<(?:\d+\+)?([\w-]+(?:\[bot\])?)@users\.noreply\.[\w.-]+>/i

/** Logins that trailers name, by GitHub's private e-mail address or with an @. Other addresses belong to nobody we know. */
export function coAuthors(message: string): string[] {
  const logins = [...message.matchAll(trailer)].slice(0, TRAILERS_MAX).flatMap(([, who = '']) => {
    const login = privateAddress.exec(who)?.[1] ?? /^@([\w-]+(?:\[bot\])?)/.exec(who.trim())?.[1]
    return login === undefined ? [] : [login]
  })
  return [...new Set(logins)]
}
