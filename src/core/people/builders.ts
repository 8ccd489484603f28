// Everybody who counts as a maker of an attempt: author, pushers, commit authors and committers, co-authors, and the
// human behind each bot. In doubt somebody is one; the set only grows. What cannot be attributed makes the set unknown:
// whoever that was, it is not known that it was nobody.
import type { Policy } from '../contract/policy/policy.ts'
import { isMachineName, oneSpelling } from './machines.ts'
import { ownerOf } from './roster.ts'
import { mayBeSame, sameLogin, type Account, type Builder, type MadeAs, type Maker, type Person } from './people.ts'

export type CommitMade = {
  readonly sha: string
  /** Null where the e-mail address belongs to no account. */
  readonly author: Maker | null
  readonly committer: Maker | null
  /** Whom GitHub found behind the addresses of authors; empty where it was not asked. */
  readonly found: readonly { readonly email: string; readonly maker: Maker }[]
  readonly message: string
  /** The commit into which the base was merged, where what the pull request changes is what it was before; null for any other commit. */
  readonly merges_base: string | null
}
export type Making = {
  readonly author: Maker
  /** Whoever moved the head, as far as a webhook or GitHub's record of the branch says. */
  readonly pushers: readonly Maker[]
  readonly commits: readonly CommitMade[]
  /** Whether these are all commits. */
  readonly commits_complete: boolean
}
export type BuilderSet = { readonly builders: readonly Builder[]; readonly known: boolean }

/** GitHub commits in the name of people who merge or edit on the web. */
const webFlow = 'web-flow'

/** `known` is false when a commit cannot be attributed, or when there may be more commits than these. */
export function buildersOf(
  making: Making,
  identities: Policy['identities'],
  personOf: (account: Account) => Person,
): BuilderSet {
  const made: { maker: Maker; via: Set<MadeAs> }[] = []
  const count = (maker: Maker, via: MadeAs): void => {
    const known = made.find((one) => mayBeSame(one.maker, maker))
    if (known === undefined) made.push({ maker, via: new Set([via]) })
    else {
      known.via.add(via)
      known.maker = { ...known.maker, id: known.maker.id ?? maker.id, kind: eitherKind(known.maker, maker) }
    }
  }
  count(oneSpelling(making.author), 'author')
  for (const pusher of making.pushers) count(oneSpelling(pusher), 'pusher')
  let known = making.commits_complete
  for (const commit of making.commits) {
    if (commit.merges_base !== null) continue
    const { author, committer, found, message } = commit
    if (author === null || committer === null) known = false
    if (author !== null) count(oneSpelling(author), 'commit_author')
    if (committer !== null && committer.login !== webFlow) count(oneSpelling(committer), 'committer')
    const named = coAuthors(message, found)
    for (const maker of named.makers) count(oneSpelling(maker), 'co_author')
    if (!named.known) known = false
  }
  for (const { maker } of made.slice()) {
    const owner = ownerOf(identities, maker.login)
    if (owner !== null) count({ id: null, login: owner, kind: 'human' }, 'owner')
  }
  const builders = made.map(({ maker, via }): Builder => {
    const person = personOf(maker)
    return { ...person, id: person.id ?? maker.id, kind: maker.kind, via: [...via] }
  })
  return { builders, known }
}

/** A bot that also goes by a name without a suffix is no human for that. */
const eitherKind = (one: Maker, other: Maker): Maker['kind'] =>
  one.kind === 'bot' || other.kind === 'bot' ? 'bot' : 'human'

const TRAILERS_MAX = 100
const trailer = /^(?:co-authored-by|spawned-by)[ \t]*:[ \t]*(.+)$/gim
const privateAddress = /<(?:(\d+)\+)?([\w-]+(?:\[bot\])?)@users\.noreply\.[\w.-]+>/i
/** Addresses at which nobody reads, as agents sign with. */
const nobodyReads = /<(?:no-?reply|donotreply)@[^>]*>/i

/** Makers that trailers name, by an address that GitHub knows or with an @; `known` is false where one stays unclear. */
export function coAuthors(
  message: string,
  found: CommitMade['found'],
): { readonly makers: readonly Maker[]; readonly known: boolean } {
  const trailers = [...message.matchAll(trailer)].map(([, who = '']) => who)
  const named = trailers.slice(0, TRAILERS_MAX).map((who) => coAuthor(who, found))
  return {
    makers: named.flatMap((maker) => (maker === 'unclear' || maker === 'nobody' ? [] : [maker])),
    known: trailers.length <= TRAILERS_MAX && !named.includes('unclear'),
  }
}

function coAuthor(who: string, found: CommitMade['found']): Maker | 'nobody' | 'unclear' {
  const email = /<([^<>]+)>\s*$/.exec(who)?.[1]?.trim().toLowerCase()
  const attributed = found.find((one) => one.email.toLowerCase() === email)
  if (attributed !== undefined) return attributed.maker
  const [, id, address] = privateAddress.exec(who) ?? []
  const login = address ?? /^@([\w-]+(?:\[bot\])?)/.exec(who.trim())?.[1]
  if (login === undefined) return nobodyReads.test(who) ? 'nobody' : 'unclear'
  return { id: id === undefined ? null : Number(id), login, kind: isMachineName(login) ? 'bot' : 'human' }
}

/** Whether a bot or a listed agent had a hand in it. */
export const isMadeByAgent = (
  { identities: { agents } }: Pick<Policy, 'identities'>,
  builders: readonly Pick<Builder, 'kind' | 'login'>[],
): boolean => builders.some(({ kind, login }) => kind === 'bot' || agents.some((one) => sameLogin(one, login)))
