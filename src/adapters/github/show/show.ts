// Makes a place on GitHub show what we concluded: check run, sticky comment, notes, labels, requests for review.
// Each place is one thing, however often it is shown; without a reference it is looked for before it is made.
import type { Shown } from '../../../core/decision/shown/owed.ts'
import type { Roster } from '../../../core/people/roster.ts'
import { NotShownYet } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { showRun } from './check-run.ts'
import { sayOnce } from './comment.ts'
import { showDeployment } from '../pulls/deployments.ts'
import { courtesy, REFUSED } from './courtesy.ts'
import type { NodeIds } from './node-ids.ts'
import type { Page } from './page.ts'
import { statusOf } from '../status.ts'
import { requestReview } from './review-request.ts'
import { showPart } from './part.ts'
import { showReview } from './verifier-review.ts'

type Ref = { readonly ref: string | null }
type Known = { readonly roster: () => Promise<Roster>; readonly page: Page; readonly ids: NodeIds }

export async function show(access: Access, shown: Shown, ref: string | null, known: Known): Promise<Ref> {
  // The gate is shown whatever it takes; anything else may be refused.
  if (shown.kind === 'check_run') return showRun({ access, ids: known.ids }, shown, ref)
  const place = ref === REFUSED ? null : ref
  const what = `the ${shown.kind.replace('_', ' ')} of pull request ${shown.pull}`
  return courtesy(access, what, { ref: REFUSED }, async () => {
    try {
      return await showCourtesy(access, shown, place, known)
    } catch (error) {
      // Issues may be deleted, and pull requests never are: what is not found there is only not shown.
      if (onPull.has(shown.kind) && statusOf(error) === 404)
        throw new NotShownYet(`GitHub does not find pull request ${shown.pull}`, { cause: error })
      throw error
    }
  })
}
const onPull: ReadonlySet<Shown['kind']> = new Set(['sticky', 'labels', 'note'])

async function showCourtesy(
  access: Access,
  shown: Exclude<Shown, { kind: 'check_run' }>,
  ref: string | null,
  known: Known,
): Promise<Ref> {
  switch (shown.kind) {
    case 'note':
      // Said once: what was said before is not edited when its reason changes.
      return ref === null ? sayOnce(access, shown.pull, shown.body, `note ${shown.mark}`) : { ref }
    case 'part':
      return showPart(access, shown)
    case 'issue': {
      const { octokit, place: where } = access
      const state = shown.open
        ? ({ state: 'open' } as const)
        : ({ state: 'closed', state_reason: 'completed' } as const)
      await octokit.rest.issues.update({ ...where, issue_number: shown.pull, ...state })
      return { ref: state.state }
    }
    case 'sticky':
    case 'labels':
      return known.page.show(shown, ref)
    case 'verifier_review':
      return showReview(access, shown)
    case 'deployment':
      return showDeployment(access, shown)
    case 'review_request':
      return requestReview(access, shown, ref, known.roster)
  }
}
