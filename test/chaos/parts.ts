// What happens to the pull requests of a tale, by the policy of their shop: what stands before the trouble, what people say in it
// and machines report, and what comes behind it.
import type { Act, Dice } from '../torture/story.ts'

export type Part = Readonly<Record<Scene, readonly Act[]>>
type Scene = 'before' | 'said' | 'reported' | 'after'
export type ShopParts = { readonly policy: string; readonly parts: readonly Part[] }

const checks = 'verification: { checks: [{ name: build, check_run: build, app: github-actions }] }\n'
const retried =
  'verification:\n  checks: [{ name: build, check_run: build, app: github-actions }]\n' +
  '  retry: { max_attempts: 2, applies_to: everyone }\n'

const push: Act = { kind: 'push' }
const passes: Act = { kind: 'check', conclusion: 'success' }
const fails: Act = { kind: 'check', conclusion: 'failure' }
const approves: Act = { kind: 'review', by: 'bob', event: 'APPROVE' }
const objects: Act = { kind: 'review', by: 'eve', event: 'REQUEST_CHANGES' }
const bobObjects: Act = { kind: 'review', by: 'bob', event: 'REQUEST_CHANGES' }
const dismisses: Act = { kind: 'dismiss' }
const merges: Act = { kind: 'merge', by: 'ada' }
const attempt: Act = { kind: 'issue' }
const blocks: Act = { kind: 'block' }
const twin: Act = { kind: 'twin' }
const says = (by: string, words: string): Act => ({ kind: 'say', by, words })
const saysToTwin = (by: string, words: string): Act => ({ kind: 'say_to_twin', by, words })
const draft = (on: boolean): Act => ({ kind: 'draft', on })
const into = (base: 'main' | 'release'): Act => ({ kind: 'retarget', base })
const label = (by: string, name: 'reject' | 'override', on = true): Act => ({
  kind: 'label',
  by,
  label: `countersign:${name}`,
  on,
})

// Who opens a pull request, or queues one, while nobody lets us in asks for nothing of us, so that both stand before the trouble.
const quiet: Part = { before: [push], said: [], reported: [], after: [] }
const part = (some: Partial<Part>): Part => ({ ...quiet, ...some })

export function shopsFrom(roll: Dice): readonly ShopParts[] {
  const anyone = (): string => roll.oneOf(['bob', 'eve', 'ada'])
  const rejects = (): Act =>
    says(anyone(), `/reject ${roll.oneOf(['not like this', 'the prices are wrong', 'ask me first'])}`)
  const overrides = (): Act => {
    const reason = roll.oneOf(['the runner lost its network', 'it is known to fail', 'we need it today'])
    return says('ada', roll.oneOf([`/override ${reason}`, `/override --check build ${reason}`]))
  }
  const letsGo: Act = { kind: roll.oneOf(['unblock', 'close_blocker']) }
  const groupEnds: Act = { kind: 'group_check', conclusion: roll.oneOf(['success', 'failure']) }
  return [
    {
      policy: checks,
      parts: [
        part({ before: [push, fails], said: [overrides()] }),
        part({ said: [rejects()], reported: [passes] }),
        part({ said: [label('bob', 'reject')], reported: [passes] }),
        part({ said: [objects], reported: [passes], after: [push, passes] }),
        part({ reported: [passes], after: [rejects()] }),
        part({ before: [push, passes], reported: [fails], after: [passes] }),
        part({ before: [push, fails, overrides()], said: [says('ada', '/revoke')], after: [passes] }),
        part({ before: [push, label('bob', 'reject')], said: [label('bob', 'reject', false)], reported: [passes] }),
        part({ said: [draft(true)], reported: [passes], after: [draft(false)] }),
        part({ said: [{ kind: 'close' }], reported: [passes], after: [{ kind: 'reopen' }] }),
        part({ said: [into('release')], reported: [passes], after: [into('main')] }),
        part({ before: [push, fails, overrides()], said: [into('release')], reported: [fails] }),
        part({ before: [push, passes], said: [push, rejects()], reported: [passes] }),
        part({ before: [push, attempt], said: [blocks], reported: [passes], after: [letsGo] }),
        part({ before: [push, attempt, blocks], said: [letsGo], reported: [passes] }),
        part({ before: [push, passes, { kind: 'queue' }], reported: [groupEnds] }),
        part({
          before: [push, twin],
          said: [saysToTwin('bob', '/reject not twice')],
          reported: [passes],
          after: [{ kind: 'close_twin' }],
        }),
        part({
          before: [push, twin],
          reported: [push, fails],
          after: [saysToTwin('ada', '/override we need it today')],
        }),
        part({}),
      ],
    },
    {
      policy: `merge_requires: completed\n${checks}`,
      parts: [
        part({ said: [approves], reported: [passes] }),
        part({ said: [objects], reported: [passes] }),
        part({ said: [rejects()], reported: [fails], after: [push, passes] }),
        part({ reported: [fails], after: [passes] }),
        part({ before: [push, passes], reported: [push, passes] }),
        part({ before: [push, objects], said: [dismisses], reported: [passes] }),
        part({ said: [says('ada', '/approve I read every line')], reported: [passes] }),
        part({ before: [push, rejects()], said: [says('ada', '/revoke')], reported: [passes], after: [approves] }),
        part({ said: [approves, dismisses], reported: [passes], after: [approves] }),
        part({ said: [approves], reported: [bobObjects, passes] }),
        part({ before: [push, passes], said: [bobObjects], reported: [approves] }),
        part({ before: [push, approves], said: [into('release')], reported: [passes] }),
        // Nothing has failed yet that it would cover, so that it is the same whether its words are heard before they are others.
        part({
          said: [says('ada', '/override we need it'), { kind: 'reword', words: 'never mind' }],
          reported: [fails],
        }),
        part({ before: [push, approves], said: [push], reported: [passes] }),
        part({ before: [push, passes, approves], said: [objects], after: [merges] }),
        part({ before: [push, attempt], said: [approves], reported: [passes], after: [merges] }),
        part({}),
      ],
    },
    {
      policy: retried,
      parts: [
        part({ before: [push, fails], said: [push], reported: [fails], after: [push, passes] }),
        part({
          before: [push, fails, push, fails],
          said: [says('ada', '/retry the task was unclear')],
          reported: [push, fails],
          after: [push, passes],
        }),
        part({ before: [push, fails], said: [push, push], reported: [passes] }),
      ],
    },
    {
      policy: `override_policy: { direct_approval_allowed: true }\n${checks}`,
      parts: [
        part({ before: [push, fails], said: [approves] }),
        part({ said: [approves, objects], reported: [fails], after: [passes] }),
        part({
          before: [push, fails],
          said: [label('ada', 'override')],
          after: [says('ada', '/reason it is known to fail')],
        }),
        part({ before: [push, fails], said: [{ kind: 'close' }, { kind: 'reopen' }, push], reported: [passes] }),
        part({ before: [push, fails], said: [rejects(), says('ada', '/revoke')], reported: [passes] }),
        part({
          before: [push, fails],
          said: [overrides()],
          reported: [says('ada', '/revoke'), says('ada', '/reject it is wrong')],
        }),
      ],
    },
  ]
}
