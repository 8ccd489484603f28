// Branches, their protection and the rules of rulesets as GitHub shows them.
import { rulesetsFor } from '../outlook.ts'
import type { Protection, Repo, Ruleset } from '../model.ts'
import { branchTip, fullName, type World } from '../world.ts'
import { nodeId, type Schema } from './account.ts'
import { commit } from './commit.ts'
import { htmlUrl, repoUrl } from './repo.ts'

const protectionUrl = (world: World, repo: Repo, name: string): string =>
  `${repoUrl(world, repo)}/branches/${encodeURIComponent(name)}/protection`

/** What everybody may know of a branch's protection: which checks it wants, and from which App. */
function summary(repo: Repo, name: string) {
  const rules = repo.protections.get(name)
  const checks = rules?.checks ?? []
  return {
    enabled: rules !== undefined,
    required_status_checks: {
      enforcement_level:
        rules === undefined || checks.length === 0 ? 'off' : rules.enforceAdmins ? 'everyone' : 'non_admins',
      contexts: checks.map(({ context }) => context),
      checks: checks.map(({ context, appId }) => ({ context, app_id: appId })),
    },
  }
}

const isProtected = (repo: Repo, name: string): boolean =>
  repo.protections.has(name) || rulesetsFor(repo, name).length > 0

export const branchInList = (world: World, repo: Repo, name: string) => ({
  name,
  commit: { sha: branchTip(repo, name), url: `${repoUrl(world, repo)}/commits/${branchTip(repo, name)}` },
  protected: isProtected(repo, name),
  protection: summary(repo, name),
  protection_url: protectionUrl(world, repo, name),
})

export const branch = (world: World, repo: Repo, name: string) =>
  ({
    name,
    commit: commit(world, repo, branchTip(repo, name)),
    _links: {
      self: `${repoUrl(world, repo)}/branches/${encodeURIComponent(name)}`,
      html: `${htmlUrl(world, repo)}/tree/${name}`,
    },
    protected: isProtected(repo, name),
    protection: summary(repo, name),
    protection_url: protectionUrl(world, repo, name),
  }) satisfies Omit<Schema<'branch-with-protection'>, 'protection'> & { protection: object }

export function protection(world: World, repo: Repo, name: string, rules: Protection) {
  const url = protectionUrl(world, repo, name)
  const { checks, strict, approvals } = rules
  return {
    url,
    ...(checks.length === 0
      ? {}
      : {
          required_status_checks: {
            url: `${url}/required_status_checks`,
            strict,
            contexts: checks.map(({ context }) => context),
            contexts_url: `${url}/required_status_checks/contexts`,
            checks: checks.map(({ context, appId }) => ({ context, app_id: appId })),
          },
        }),
    ...(approvals === null
      ? {}
      : {
          required_pull_request_reviews: {
            url: `${url}/required_pull_request_reviews`,
            dismiss_stale_reviews: rules.dismissStale,
            require_code_owner_reviews: rules.codeOwners,
            require_last_push_approval: rules.lastPushApproval,
            required_approving_review_count: approvals,
          },
        }),
    required_signatures: { url: `${url}/required_signatures`, enabled: false },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: rules.enforceAdmins },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: true },
    allow_deletions: { enabled: false },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: false },
    lock_branch: { enabled: false },
    allow_fork_syncing: { enabled: false },
  }
}

export function rulesOf(repo: Repo, { id, checks, strict, approvals, queue }: Ruleset) {
  const source = { ruleset_source_type: 'Repository', ruleset_source: fullName(repo), ruleset_id: id }
  return [
    ...(checks.length === 0
      ? []
      : [
          {
            type: 'required_status_checks',
            parameters: {
              strict_required_status_checks_policy: strict,
              do_not_enforce_on_create: false,
              required_status_checks: checks.map(({ context, appId }) => ({
                context,
                ...(appId === null ? {} : { integration_id: appId }),
              })),
            },
            ...source,
          },
        ]),
    ...(approvals === null
      ? []
      : [
          {
            type: 'pull_request',
            parameters: {
              required_approving_review_count: approvals,
              dismiss_stale_reviews_on_push: false,
              require_code_owner_review: false,
              require_last_push_approval: false,
              required_review_thread_resolution: false,
            },
            ...source,
          },
        ]),
    ...(queue ? [{ type: 'merge_queue', parameters: queueParameters, ...source }] : []),
  ]
}

const queueParameters = {
  check_response_timeout_minutes: 60,
  grouping_strategy: 'ALLGREEN',
  max_entries_to_build: 5,
  max_entries_to_merge: 5,
  merge_method: 'MERGE',
  min_entries_to_merge: 1,
  min_entries_to_merge_wait_minutes: 5,
}

/** As those see it who may change it. */
export const bypassOf = ({ bypass }: Ruleset) => ({
  bypass_actors: bypass.map(({ actorId, actorType, mode }) => ({
    actor_id: actorId,
    actor_type: actorType,
    bypass_mode: mode,
  })),
})

export const ruleset = (world: World, repo: Repo, { id, name, enforcement, branches }: Ruleset) => ({
  id,
  node_id: nodeId('RRS', id),
  name,
  target: 'branch',
  source_type: 'Repository',
  source: fullName(repo),
  enforcement,
  conditions: {
    ref_name: { include: branches.map((one) => (one.startsWith('~') ? one : `refs/heads/${one}`)), exclude: [] },
  },
  created_at: repo.createdAt,
  updated_at: repo.createdAt,
  _links: {
    self: { href: `${repoUrl(world, repo)}/rulesets/${id}` },
    html: { href: `${htmlUrl(world, repo)}/rules/${id}` },
  },
})
