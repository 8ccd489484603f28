// Everything that this GitHub answers. Of two that fit, the first is taken.
import { answerGraphql } from '../graphql/answer.ts'
import { route, type Route } from '../wire/router.ts'
import type { Outbox } from '../wire/outbox.ts'
import { actionRoutes } from './actions.ts'
import { appRoutes } from './apps.ts'
import { checkRoutes } from './checks.ts'
import { commitRoutes, lastCommitRoutes } from './commits.ts'
import { dependencyRoutes } from './dependencies.ts'
import { gitRoutes } from './git.ts'
import { issueRoutes } from './issues.ts'
import { pullRoutes } from './pulls.ts'
import { repoRoutes } from './repos.ts'
import { reviewRoutes } from './reviews.ts'
import { rootRoutes } from './root.ts'
import { subIssueRoutes } from './sub-issues.ts'

export const allRoutes = (outbox: Outbox): readonly Route[] => [
  ...rootRoutes,
  ...appRoutes(outbox),
  ...repoRoutes,
  ...gitRoutes,
  ...commitRoutes,
  ...checkRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...issueRoutes,
  ...subIssueRoutes,
  ...dependencyRoutes,
  ...actionRoutes(),
  ...lastCommitRoutes,
  route('POST', '/graphql', answerGraphql),
]
