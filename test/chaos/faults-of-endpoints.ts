// What GitHub does to an App in one part only: one kind of endpoint fails, says nothing, is not found or is forbidden, and everything
// else works. There are many of them, so they are played only where somebody asks for them.
import type { Trouble } from '../github/wire/faults.ts'
import { both, type Fault } from './fault.ts'
import { everywhere, silently } from './faults-of-github.ts'

export const endpoints = {
  graphql: ['/graphql'],
  tokens: ['/app/installations/*/access_tokens'],
  listing: ['/app/installations*', '/installation/repositories'],
  deliveries: ['/app/hook/deliveries*'],
  repository: ['/repos/*/*'],
  contents: ['/repos/*/contents/*'],
  trees: ['/repos/*/git/*'],
  compare: ['/repos/*/compare/*'],
  branches: ['/repos/*/branches/*', '/repos/*/rules/*'],
  activity: ['/repos/*/activity*'],
  people: ['/repos/*/collaborators*'],
  results: ['/repos/*/commits/*/check-runs*', '/repos/*/commits/*/status*', '/repos/*/check-suites/*'],
  checks: ['/repos/*/check-runs*'],
  runs: ['/repos/*/actions/*'],
  pulls: ['/repos/*/pulls/*'],
  files: ['/repos/*/pulls/*/files*'],
  commits: ['/repos/*/pulls/*/commits*'],
  reviews: ['/repos/*/pulls/*/reviews*'],
  issues: ['/repos/*/issues/*'],
  comments: ['/repos/*/issues/*/comments*', '/repos/*/issues/comments/*'],
  labels: ['/repos/*/issues/*/labels*', '/repos/*/labels*'],
  events: ['/repos/*/issues/*/events*', '/repos/*/issues/*/timeline*'],
  reactions: ['/repos/*/reactions*'],
  blockers: ['/repos/*/issues/*/dependencies/*'],
  'sub-issues': ['/repos/*/issues/*/sub_issues*'],
} as const

const troubles = {
  bad: ['answers 502', { kind: 'answer', status: 502 }],
  missing: ['answers 404', { kind: 'answer', status: 404 }],
  denied: ['answers 403', { kind: 'answer', status: 403, message: 'Resource not accessible by integration' }],
} as const satisfies Record<string, readonly [string, Trouble]>

export const faultsOfEndpoints: readonly Fault[] = Object.entries(endpoints).flatMap(([part, paths]) => {
  const there = paths.map((path) => ({ path }))
  const common = { stores: both, expected: 'same' } as const
  return [
    ...Object.entries(troubles).map(([how, [words, trouble]]): Fault => ({
      ...common,
      name: `${part}-${how}`,
      about: `GitHub ${words} wherever it is asked for ${part}`,
      begin: everywhere(trouble, ...there),
    })),
    {
      ...common,
      name: `${part}-held`,
      about: `GitHub says nothing where it is asked for ${part}, until it is over`,
      begin: silently(...there),
    },
  ]
})
