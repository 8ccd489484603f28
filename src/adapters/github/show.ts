// Makes a place on GitHub show what we concluded: check run, sticky comment, notes, labels, requests for review.
// Each place is one thing, however often it is shown; without a reference it is looked for before it is made.
// https://docs.github.com/en/rest/issues/comments https://docs.github.com/en/rest/issues/labels
import type { Shown } from '../../core/decision/owed.ts'
import { actOfLabel } from '../../core/people/act.ts'
import { stickyMarker } from '../../core/words/report.ts'
import type { Roster } from '../../ports.ts'
import { showRun } from './check-run.ts'
import { BODY_MAX, botOf, type Access } from './access.ts'
import type { FoundPlaces } from './found.ts'
import { requestReview } from './review-request.ts'
import { orMissing } from './status.ts'
import { showReview } from './verifier-review.ts'

type Ref = { readonly ref: string | null }
/** What is known without asking: who is there, and what a pull request already shows. */
type Known = { readonly roster: () => Promise<Roster>; readonly found: FoundPlaces }

export async function show(access: Access, shown: Shown, ref: string | null, known: Known): Promise<Ref> {
  switch (shown.kind) {
    case 'check_run':
      return showRun(access, shown, ref)
    case 'note':
      // Said once: what was said before is not edited when its reason changes.
      return ref === null ? createComment(access, shown.pull, shown.body) : { ref }
    case 'sticky':
      return showSticky(access, shown, ref, known.found)
    case 'labels':
      return showLabels(access, shown, ref, known.found)
    case 'verifier_review':
      return showReview(access, shown)
    case 'review_request':
      return requestReview(access, shown, known.roster)
  }
}

async function createComment({ octokit, place }: Access, issue_number: number, whole: string): Promise<Ref> {
  const body = whole.slice(0, BODY_MAX)
  const { data } = await octokit.rest.issues.createComment({ ...place, issue_number, body })
  return { ref: String(data.id) }
}

/** One comment per pull request, edited in place. Without a reference it may still be there from before a crash. */
async function showSticky(
  access: Access,
  { pull, body: whole }: Extract<Shown, { kind: 'sticky' }>,
  ref: string | null,
  found: FoundPlaces,
): Promise<Ref> {
  const { octokit, place } = access
  const body = whole.slice(0, BODY_MAX)
  const edit = (comment_id: number) => orMissing(octokit.rest.issues.updateComment({ ...place, comment_id, body }))
  if (ref !== null && (await edit(Number(ref))) !== null) return { ref }
  if (found.takeComments(pull) === 0) return createComment(access, pull, body)
  const ours = await ownComment(access, pull)
  if (ours === null) return createComment(access, pull, body)
  await edit(ours)
  return { ref: String(ours) }
}

async function ownComment(access: Access, issue_number: number): Promise<number | null> {
  const { octokit, place } = access
  const { data: comments } = await octokit.rest.issues.listComments({ ...place, issue_number, per_page: 100 })
  const ours = comments.find(({ user, body }) => user?.login === botOf(access) && body?.startsWith(stickyMarker))
  return ours?.id ?? null
}

/** Only labels of state are ours to set and to remove; those that people use as inputs are theirs. `ref` lists ours. */
async function showLabels(
  access: Access,
  { pull, labels }: Extract<Shown, { kind: 'labels' }>,
  ref: string | null,
  found: FoundPlaces,
): Promise<Ref> {
  const { octokit, place } = access
  const present = ref === null ? await ownLabels(access, pull, found) : ref.split(',').filter((label) => label !== '')
  const missing = labels.filter((label) => !present.includes(label))
  if (missing.length > 0) await octokit.rest.issues.addLabels({ ...place, issue_number: pull, labels: missing })
  for (const name of present.filter((label) => !labels.includes(label)))
    await orMissing(octokit.rest.issues.removeLabel({ ...place, issue_number: pull, name }))
  return { ref: labels.join(',') }
}

async function ownLabels({ octokit, place }: Access, pull: number, found: FoundPlaces): Promise<string[]> {
  const names = found.takeLabels(pull) ?? (await labelsNow())
  return names.filter((name) => name.startsWith('countersign:') && actOfLabel(name) === undefined)

  async function labelsNow(): Promise<readonly string[]> {
    const { data } = await octokit.rest.issues.listLabelsOnIssue({ ...place, issue_number: pull, per_page: 100 })
    return data.map(({ name }) => name)
  }
}
