// What the machine of the App brings along: its clock, the database, and the key of the model with what it costs.
import { knownModel } from '../../../adapters/anthropic/known-model.ts'
import { plural } from '../../../core/words/text/plural.ts'
import type { Policy } from '../../../core/contract/policy/policy.ts'
import { dollarsOf } from '../../../verifier/calls/money.ts'
import { withOperations } from '../common/operator.ts'
import { looked, ok, unknown, warning, wrong, type Finding } from './finding.ts'
import type { Sight } from './sight.ts'

/** GitHub refuses what an App signed more than a minute ahead. */
const SKEW_SECONDS_MAX = 30

export function clockOf({ skewSeconds }: Sight): Finding {
  const skew = skewSeconds()
  if (skew === null) return unknown('clock', 'GitHub was not asked anything, so its clock is not known')
  const ahead = Math.round(Math.abs(skew))
  return ahead > SKEW_SECONDS_MAX
    ? wrong('clock', `this machine’s clock is ${ahead} seconds ${skew > 0 ? 'ahead of' : 'behind'} GitHub’s`, 'set it by a time server, such as `timedatectl set-ntp true`') // prettier-ignore
    : ok('clock', 'this machine’s clock agrees with GitHub’s')
}

const elsewhere = 'the settings of the App are not here: run this where its .env is'

export async function databaseOf({ settings }: Sight): Promise<Finding[]> {
  if (settings.credentials === null) return [unknown('database', elsewhere)]
  return looked('database', () =>
    withOperations(settings, async (operations) => {
      const { waiting, dead } = await operations.status()
      return dead > 0
        ? warning('database', `${plural(dead, 'delivery was', 'deliveries were')} given up`, 'countersign inbox list')
        : ok('database', `it answers, is of this version, and ${plural(waiting, 'delivery waits', 'deliveries wait')}`)
    }),
  )
}

/** A change that fills what a question may hold, and an answer to it. */
const example = { input: 28_000, output: 2_000, cache_write_5m: 0, cache_write_1h: 0, cache_read: 0, thinking: 0 }

export async function modelOf({ settings }: Sight, policy: Policy | null): Promise<Finding> {
  const { credentials, model: setup } = settings
  if (credentials === null) return unknown('model', elsewhere)
  if (policy === null) return unknown('model', 'which one the policy names is not known')
  const { enabled, tier, model } = policy.verification.verifier
  if (enabled === false || tier === 1) return ok('model', 'the policy asks for none')
  const mend = 'set ANTHROPIC_API_KEY for the App'
  if (setup === null)
    return enabled === true
      ? wrong('model', 'the policy wants the verifier, and the App has no key', mend)
      : warning('model', 'the verifier is off, since the App has no key', mend)
  const known = await knownModel(setup, model)
  if (typeof known === 'object') return unknown('model', `${setup.baseUrl} could not be asked: ${known.open}`)
  if (known === 'key refused') return wrong('model', `${setup.baseUrl} does not take ANTHROPIC_API_KEY`, mend)
  if (known === 'no such model')
    return wrong(
      'model',
      `${setup.baseUrl} knows no model \`${model}\``,
      'name another one under `verification.verifier.model`',
    )
  const dollars = dollarsOf(model, example, policy.budget.prices)
  const { usd_per_attempt: budget } = policy.budget
  const price = `a question of 28,000 tokens costs about $${dollars.toFixed(2)} at list price`
  return dollars > budget
    ? warning(
        'model',
        `\`${model}\` is known, and ${price}, more than \`budget.usd_per_attempt\` allows (${budget})`,
        'raise it in the policy',
      )
    : ok('model', `\`${model}\` is known; ${price}`)
}
