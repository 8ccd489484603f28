// Branch protection and rulesets as they arrive over REST.
import { flag, number, oneOf, record, records, text, texts, type Fields } from '../fields.ts'
import type { Protection, Repo, RequiredCheck, Ruleset } from '../model.ts'
import { branchTip, type World } from '../world.ts'

export const noProtection: Protection = {
  checks: [],
  strict: false,
  enforceAdmins: false,
  approvals: null,
  dismissStale: false,
  lastPushApproval: false,
  codeOwners: false,
}

export function changeProtection(repo: Repo, branch: string, body: Fields): Protection {
  branchTip(repo, branch)
  const checks = record(body, 'required_status_checks')
  const reviews = record(body, 'required_pull_request_reviews')
  const protection: Protection = {
    checks: checks === null ? [] : requiredChecks(checks),
    strict: checks !== null && flag(checks, 'strict') === true,
    enforceAdmins: flag(body, 'enforce_admins') === true,
    approvals: reviews === null ? null : (number(reviews, 'required_approving_review_count') ?? 1),
    dismissStale: reviews !== null && flag(reviews, 'dismiss_stale_reviews') === true,
    lastPushApproval: reviews !== null && flag(reviews, 'require_last_push_approval') === true,
    codeOwners: reviews !== null && flag(reviews, 'require_code_owner_reviews') === true,
  }
  repo.protections.set(branch, protection)
  return protection
}

function requiredChecks(checks: Fields): readonly RequiredCheck[] {
  const listed = records(checks, 'checks')?.map((one) => ({
    context: text(one, 'context') ?? '',
    // Minus one stands for any source.
    appId: number(one, 'app_id') === -1 ? null : number(one, 'app_id'),
  }))
  return listed ?? (texts(checks, 'contexts') ?? []).map((context) => ({ context, appId: null }))
}

const actorTypes = ['Integration', 'OrganizationAdmin', 'RepositoryRole', 'Team', 'DeployKey', 'User'] as const
const modes = ['always', 'pull_request', 'exempt'] as const

export function changeRuleset(world: World, repo: Repo, name: string, body: Fields): Ruleset {
  const rules = records(body, 'rules') ?? []
  const parameters = (type: string): Fields | null => {
    const rule = rules.find((one) => text(one, 'type') === type)
    return rule === undefined ? null : (record(rule, 'parameters') ?? {})
  }
  const checks = parameters('required_status_checks')
  const reviews = parameters('pull_request')
  const conditions = record(record(body, 'conditions') ?? {}, 'ref_name')
  const enforcement = text(body, 'enforcement')
  const ruleset: Ruleset = {
    id: world.nextId(),
    name,
    branches: (texts(conditions ?? {}, 'include') ?? ['~DEFAULT_BRANCH']).map((one) => one.replace('refs/heads/', '')),
    enforcement: enforcement === 'evaluate' || enforcement === 'disabled' ? enforcement : 'active',
    checks: (checks === null ? [] : (records(checks, 'required_status_checks') ?? [])).map((one) => ({
      context: text(one, 'context') ?? '',
      appId: number(one, 'integration_id'),
    })),
    strict: checks !== null && flag(checks, 'strict_required_status_checks_policy') === true,
    approvals: reviews === null ? null : (number(reviews, 'required_approving_review_count') ?? 0),
    bypass: (records(body, 'bypass_actors') ?? []).map((one) => ({
      actorId: number(one, 'actor_id'),
      actorType: oneOf(one, 'actor_type', actorTypes) ?? 'RepositoryRole',
      mode: oneOf(one, 'bypass_mode', modes) ?? 'always',
    })),
    queue: parameters('merge_queue') !== null,
  }
  repo.rulesets.push(ruleset)
  return ruleset
}
