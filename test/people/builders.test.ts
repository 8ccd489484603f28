// Who counts as a maker of an attempt, and when it is not known that these are all.
import { describe, expect, test } from 'vitest'
import { buildersOf, coAuthors, type CommitMade, type Making } from '../../src/core/people/builders.ts'
import type { Maker, Person } from '../../src/core/people/people.ts'

const human = (login: string, id: number | null = null): Maker => ({ login, id, kind: 'human' })
const bot = (login: string, id: number | null = null): Maker => ({ login, id, kind: 'bot' })
const ann = human('ann', 1)
const bob = human('bob', 2)

const commit = (given: Partial<CommitMade> = {}): CommitMade => ({
  sha: 'c'.repeat(40),
  author: ann,
  committer: ann,
  found: [],
  message: 'Fix the shop',
  merges_base: null,
  ...given,
})

/** Who made it, by which part in it, in the order in which they are met; `?` where that may not be everybody. */
function made(given: Partial<Making>, owners: Record<string, string> = {}): string[] {
  const making: Making = { author: ann, pushers: [], commits: [], commits_complete: true, ...given }
  const identities = { agents: [], owners, apps: [], exempt: [] }
  const stranger = (login: string): Person => ({ id: null, login, kind: 'human', permission: 'none', teams: [] })
  const { builders, known } = buildersOf(making, identities, ({ login }) => stranger(login))
  const told = builders.map(({ login, id, kind, via }) => `${login}#${id ?? '-'} ${kind}: ${via.join(', ')}`)
  return known ? told : [...told, '?']
}

describe('the makers of an attempt', () => {
  test.each<[string, Partial<Making>, string[]]>([
    ['its author', {}, ['ann#1 human: author']],
    ['who pushed it', { pushers: [bob] }, ['ann#1 human: author', 'bob#2 human: pusher']],
    ['who wrote a commit', { commits: [commit({ author: bob })] }, ['ann#1 human: author, committer', 'bob#2 human: commit_author']],
    ['who committed it', { commits: [commit({ committer: bob })] }, ['ann#1 human: author, commit_author', 'bob#2 human: committer']],
    ['not GitHub, which commits for people on the web', { commits: [commit({ committer: human('web-flow', 3) })] }, ['ann#1 human: author, commit_author']],
    ['not whoever merged the base', { commits: [commit({ author: bob, committer: bob, message: 'x\n\nCo-authored-by: @cleo', merges_base: 'b'.repeat(40) })] }, ['ann#1 human: author']],
    ['whoever a trailer names', { commits: [commit({ message: 'x\n\nCo-authored-by: @cleo' })] }, ['ann#1 human: author, commit_author, committer', 'cleo#- human: co_author']],
    ['one person, however often', { pushers: [human('ANN', 1)], commits: [commit(), commit()] }, ['ann#1 human: author, pusher, commit_author, committer']],
    ['one person under a name of today and one of yesterday', { pushers: [human('ann-of-old', 1)] }, ['ann#1 human: author, pusher']],
    ['a person whose number is learned later', { author: human('ann'), pushers: [ann] }, ['ann#1 human: author, pusher']],
    ['a bot, by the suffix of its name', { author: human('helper[bot]', 9) }, ['helper[bot]#9 bot: author']],
    ['a bot, also where it goes by a name without a suffix', { author: bot('helper', 9), pushers: [human('helper', 9)] }, ['helper#9 bot: author, pusher']],
    ['a bot, although it was first met as a person', { author: human('helper', 9), pushers: [bot('helper', 9)] }, ['helper#9 bot: author, pusher']],
    ['the coding agent, in every spelling', { author: bot('copilot-swe-agent[bot]'), pushers: [human('Copilot')], commits: [commit({ author: human('app/copilot-swe-agent'), committer: human('copilot-swe-agent') })] }, ['copilot-swe-agent[bot]#- bot: author, pusher, commit_author, committer']],
  ])('%s', (_title, making, makers) => expect(made(making)).toEqual(makers)) // prettier-ignore

  test('a human answers for a bot where the policy says who', () => {
    const author = bot('helper[bot]', 9)
    expect(made({ author }, { 'Helper[bot]': 'ann' })).toEqual(['helper[bot]#9 bot: author', 'ann#- human: owner'])
    expect(made({ author }, { 'helper[bot]': 'ann', ann: 'bob' })).toHaveLength(2)
    expect(made({ author }, { 'other[bot]': 'ann' })).toEqual(['helper[bot]#9 bot: author'])
  })

  test.each<[string, Partial<Making>]>([
    ['there may be more commits', { commits_complete: false }],
    ['an author belongs to no account', { commits: [commit({ author: null }), commit()] }],
    ['a committer belongs to no account', { commits: [commit({ committer: null }), commit()] }],
    ['a trailer stays unclear', { commits: [commit({ message: 'x\n\nCo-authored-by: Cleo <cleo@shop.example>' })] }],
  ])('it is not known that nobody else made it: %s', (_title, making) => {
    expect(made(making).at(-1)).toBe('?')
    expect(made({ ...making, commits_complete: true, commits: [] }).at(-1)).not.toBe('?')
  })
})

describe('whom a trailer names', () => {
  const cleo = human('cleo', 4)
  const found = [{ email: 'Cleo@Shop.example', maker: cleo }]

  test.each<[string, Maker[], boolean]>([
    ['Co-authored-by: Cleo <cleo@shop.example>', [cleo], true],
    ['co-authored-by : Cleo <CLEO@shop.example> ', [cleo], true],
    ['Co-authored-by: Cleo <cleo@elsewhere.example>', [], false],
    ['Co-authored-by: Dan <12+dan@users.noreply.github.com>', [human('dan', 12)], true],
    ['Co-authored-by: Dan <dan@users.noreply.github.com>', [human('dan')], true],
    ['Co-authored-by: Helper <7+helper[bot]@users.noreply.github.com>', [bot('helper[bot]', 7)], true],
    ['Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>', [bot('Copilot', 198_982_749)], true],
    ['Spawned-by: @dan', [human('dan')], true],
    ['Spawned-by: @helper[bot]', [bot('helper[bot]')], true],
    ['Spawned-by: dan', [], false],
    ['Co-authored-by: Claude <noreply@anthropic.com>', [], true],
    ['Co-authored-by: Claude <no-reply@agents.example>', [], true],
    ['Co-authored-by: Somebody', [], false],
    ['A word on Co-authored-by: @dan', [], true],
  ])('%s', (line, makers, known) => {
    expect(coAuthors(`Fix the shop\n\n${line}\nSigned-off-by: Ann`, found)).toEqual({ makers, known })
  })

  test('of more trailers than anybody writes, the first are read and the rest is not known', () => {
    const trailers = (count: number) => Array.from({ length: count }, (_, index) => `Spawned-by: @dan${index}`)
    const all = coAuthors(trailers(100).join('\n'), [])
    expect([all.makers.length, all.known]).toEqual([100, true])
    const cut = coAuthors(trailers(101).join('\n'), [])
    expect([cut.makers.length, cut.known]).toEqual([100, false])
  })
})
