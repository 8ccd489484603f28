// What robots find out about a commit, for the base that its change has by then.
import { outcome, results, workflow } from '../app/lab/action-run.ts'
import type { Shop } from '../app/lab/shop.ts'
import { zipOf } from '../app/lab/zip.ts'
import { at, happened, noted, type Base, type Change } from './change.ts'
import type { Check, Kind } from './kinds.ts'

/** `pull`: null for a merge group. */
type Where = {
  readonly shop: Shop
  readonly kind: Kind
  readonly home: string
  readonly branch: string
  readonly base: Base
  readonly pull: number | null
}

export function report(where: Where, { name, by }: Check, sha: string, passed: boolean): void {
  const { github, name: shop } = where.shop
  const says = passed ? 'success' : 'failure'
  if (by === 'the Action') handsOver(where, name, sha, passed)
  else if (by === 'a status') github.reportStatus(shop, { sha, context: name, state: says, by: 'bob' })
  else github.reportCheck(shop, { name, sha, conclusion: says, app: 'github-actions' })
}

/** A run of the Action from its start to its end. */
function handsOver({ shop, kind, home, branch, base, pull }: Where, name: string, sha: string, passed: boolean): void {
  const { github } = shop
  const event = pull === null ? 'merge_group' : 'pull_request'
  const run = github.startRun(shop.name, { head: sha, branch, path: workflow, event, headRepo: home })
  const about = results({ app: shop, shop, sha, number: pull ?? 0, run }, passed, kind.policy)
  const checks = [{ ...outcome(passed), name, command: `npm ${name}` }]
  const own = { ...about, event, pull, base_ref: base, checks, left_out: [], ...(pull === null ? { tier1: null } : {}) }
  const zip = zipOf([{ name: 'results.json', content: JSON.stringify(own) }])
  github.uploadArtifact(shop.name, run, 'countersign-results', zip)
  github.finishRun(shop.name, run, passed ? 'success' : 'failure')
}

type Run = { readonly sha: string; readonly passed: boolean; readonly told: boolean }

export function allRun(change: Change, run: Run): void {
  for (const check of change.kind.checks) runs(change, check, run)
}

export const oneRuns = (change: Change, run: Run): void => runs(change, change.roll.oneOf(change.kind.checks), run)

function runs(change: Change, check: Check, { sha, passed, told }: Run): void {
  const isOfGroup = change.group?.sha === sha
  const own = isOfGroup ? { home: change.shop.name, branch: 'queue', pull: null } : { branch: 'feature' }
  report({ ...change, ...own }, check, sha, passed)
  noted(change, check, sha, passed)
  happened(change, told, `the ${check.name} of ${at(sha, change.base)}: ${passed ? 'passed' : 'failed'}`)
}
