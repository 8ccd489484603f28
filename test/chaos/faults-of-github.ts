// What GitHub does to an App: it fails, says nothing, keeps its webhooks, allows no more, or does not let us in.
import type { Fault as FaultOfGitHub, Trouble } from '../github/wire/faults.ts'
import { both, type Fault, type Scenery } from './fault.ts'

const waits = /GitHub does not answer; what is heard waits/

type Narrower = Pick<FaultOfGitHub, 'method' | 'path' | 'percent'>

/** What is asked of GitHub goes wrong, until somebody mends it. Everything, where nothing narrower is named. */
export const everywhere =
  (trouble: Trouble, ...narrower: readonly Narrower[]) =>
  async ({ github }: Pick<Scenery, 'github'>) => {
    const where = narrower.length === 0 ? [{}] : narrower
    const faults = where.map((one) => github.addFault({ ...one, trouble }))
    return async () => faults.forEach((fault) => github.removeFault(fault))
  }

/** It is taken, and answered when it is over. */
export const silently =
  (...narrower: readonly Narrower[]) =>
  async (scenery: Pick<Scenery, 'github'>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = await everywhere({ kind: 'held', until: promise }, ...narrower)(scenery)
    return async () => {
      await end()
      resolve()
    }
  }

/** Every third request fails. */
export const flaky = everywhere({ kind: 'answer', status: 502 }, { percent: 33 })

/** Webhooks are doubled and overtake each other. */
export async function shuffled({ github }: Pick<Scenery, 'github'>) {
  github.setDeliveries({ doubledPercent: 50, shuffleWithin: 8, concurrency: 4 })
  return async () => github.setDeliveries({ doubledPercent: 0, shuffleWithin: 1, concurrency: 1 })
}

const page = { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } as const
const crowded: Trouble = {
  kind: 'answer',
  status: 403,
  headers: { 'retry-after': '2' },
  message: 'You have exceeded a secondary rate limit.',
}
const denied: Trouble = { kind: 'answer', status: 403, message: 'Resource not accessible by integration' }
const failed = { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] }
const spent = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded.' }] }

const failing = (name: string, about: string, trouble: Trouble): Fault => ({
  name,
  about,
  stores: both,
  expected: 'waited',
  words: waits,
  begin: everywhere(trouble),
})

async function suspended({ github, stage, roll }: Scenery) {
  const { installation } = stage.pulls[roll.below(stage.pulls.length)]?.[0]?.shop ?? { installation: 0 }
  github.suspendInstallation(installation, 'cleo')
  return async () => github.suspendInstallation(installation, null)
}

export const faultsOfGitHub: readonly Fault[] = [
  failing('github-500', 'GitHub answers 500', { kind: 'answer', status: 500 }),
  failing('github-401', 'GitHub answers 401', { kind: 'answer', status: 401 }),
  failing('github-html', 'GitHub answers with a page', page),
  failing('github-cut', 'GitHub breaks every connection', { kind: 'reset' }),
  failing('github-garbled', 'what comes from GitHub is no HTTP', { kind: 'reset', says: 'HTTP/9 what?\r\n\r\n' }),
  {
    name: 'github-empty',
    about: 'every other answer of GitHub is a success in which nothing is said',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 200, body: Buffer.from('') }, { percent: 50 }),
  },
  {
    name: 'github-silent',
    about: 'GitHub takes what it is asked and answers when it is over',
    stores: both,
    expected: 'same',
    begin: silently(),
  },
  {
    name: 'github-slow',
    about: 'GitHub takes three seconds for each answer',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'delay', ms: 3_000 }),
  },
  {
    name: 'github-late',
    about: 'answers of GitHub are up to two seconds old when they arrive',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'late', ms: 2_000 }, { percent: 60 }),
  },
  {
    name: 'github-flaky',
    about: 'GitHub fails every third time',
    stores: both,
    expected: 'same',
    begin: flaky,
  },
  {
    name: 'github-404',
    about: 'GitHub says of everything that it is not there',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 404 }, { path: '/repos/*' }),
  },
  {
    name: 'github-403',
    about: 'GitHub allows us nothing',
    stores: both,
    expected: 'same',
    begin: everywhere(denied, { path: '/repos/*' }),
  },
  {
    name: 'github-stale',
    about: 'every other answer of GitHub shows pull requests as they were before',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'stale' }, { percent: 50 }),
  },
  {
    name: 'github-crowded',
    about: 'GitHub finds every other request too much at once',
    stores: both,
    expected: 'same',
    begin: everywhere(crowded, { percent: 50 }),
  },
  {
    name: 'github-writes-twice',
    about: 'GitHub does what it is asked, and says 502',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 502, effect: 'after' }, { method: 'write', percent: 60 }),
  },
  {
    name: 'graphql-502',
    about: 'only GraphQL fails',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 502 }, { path: '/graphql' }),
  },
  {
    name: 'graphql-fails',
    about: 'GraphQL says with a status of success that it failed, more often than not',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 200, body: failed }, { path: '/graphql', percent: 60 }),
  },
  {
    name: 'graphql-spent',
    about: 'the quota of GraphQL is used up',
    stores: both,
    expected: 'same',
    begin: everywhere({ kind: 'answer', status: 200, body: spent }, { path: '/graphql' }),
  },
  {
    name: 'nonsense',
    about: 'GitHub says of everybody what makes no sense, so that handling throws each time',
    stores: both,
    expected: 'waited',
    words: /a fault of ours; the attempt waits for a human/,
    begin: everywhere(
      { kind: 'answer', status: 200, body: { role_name: 7 } },
      { path: '/repos/*/collaborators/*/permission' },
    ),
  },
  {
    name: 'content-spent',
    about: 'the content that GitHub allows in a minute is used up',
    stores: both,
    expected: 'same',
    begin: async ({ github }) => {
      github.setLimits({ contentPerMinute: 1 })
      return async () => github.setLimits({ contentPerMinute: null })
    },
  },
  {
    name: 'quota-spent',
    about: 'the requests that GitHub allows in an hour are used up, and come back',
    stores: both,
    expected: 'same',
    begin: async ({ github, lastMs }) => {
      const headers = {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${Math.ceil((Date.now() + lastMs) / 1_000)}`,
      }
      const message = 'API rate limit exceeded for installation.'
      const fault = github.addFault({ path: '/repos/*', trouble: { kind: 'answer', status: 403, headers, message } })
      return async () => github.removeFault(fault)
    },
  },
  {
    name: 'webhooks-lost',
    about: 'no webhook arrives, and the App starts anew behind it',
    stores: both,
    expected: 'same',
    begin: async (scenery) => {
      const { github, kill, start } = scenery
      github.setDeliveries({ lostPercent: 100 })
      return async () => {
        await github.idle()
        github.setDeliveries({ lostPercent: 0 })
        await kill()
        await start()
      }
    },
  },
  {
    name: 'webhooks-some-lost',
    about: 'every third webhook gets lost on its way while the others arrive, and nobody is away',
    stores: both,
    expected: 'same',
    begin: async ({ github }) => {
      github.setDeliveries({ lostPercent: 33 })
      return async () => {
        await github.idle()
        github.setDeliveries({ lostPercent: 0 })
      }
    },
  },
  {
    name: 'webhooks-shuffled',
    about: 'webhooks are doubled and overtake each other',
    stores: both,
    expected: 'same',
    begin: shuffled,
  },
  {
    name: 'installed-anew',
    about: 'the App is removed everywhere and installed anew',
    stores: both,
    expected: 'same',
    begin: async ({ github, stage }) => {
      const shops = new Set(stage.pulls.flat().map(({ shop }) => shop))
      for (const { installation } of shops) github.uninstall(installation)
      return async () => {
        for (const { org } of shops) github.install(org)
      }
    },
  },
  {
    name: 'tokens-revoked',
    about: 'GitHub takes back each token that it gave, again and again',
    stores: both,
    expected: 'same',
    begin: async ({ github }) => {
      const taking = setInterval(() => github.expireTokens(), 300)
      return async () => clearInterval(taking)
    },
  },
  {
    name: 'suspended',
    about: 'one organisation suspends the App for a while',
    stores: both,
    expected: 'same',
    begin: suspended,
  },
  {
    name: 'two-suspended',
    about: 'one organisation suspends an App of two processes for a while',
    stores: ['postgres'],
    processes: 2,
    expected: 'same',
    begin: suspended,
  },
]
