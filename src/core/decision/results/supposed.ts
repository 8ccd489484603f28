// What would come on record if results are what a webhook told of them. It is never recorded, since a webhook is a hint; whoever
// has to ask something else as well, before it counts, may begin with it.
import type { CheckRule } from '../../contract/policy/policy.ts'
import type { ToldResult } from '../../news.ts'
import type { Attempt } from '../model.ts'
import type { Input } from '../rules/inputs.ts'
import { reportOf } from './report-of.ts'

/** Only what passes: with anything else nothing more has to be asked. The newest of a name counts. */
export const supposed = (attempt: Attempt, told: readonly ToldResult[]): readonly Input[] =>
  attempt.contract.policy.verification.checks.flatMap((rule) => {
    const [newest] = told.filter((one) => isOf(rule, one)).toSorted((one, other) => other.id - one.id)
    if (newest === undefined || !passes(rule, newest)) return []
    return reportOf(attempt.id, rule, { run: String(newest.id), state: 'passed' })
  })

const isOf = ({ check_run, status }: CheckRule, { kind, name }: ToldResult): boolean =>
  (kind === 'check_run' && name === check_run) || (kind === 'status' && name === status)

const passes = ({ status, accept }: CheckRule, { conclusion }: ToldResult): boolean =>
  status === undefined ? accept.some((one) => one === conclusion) : conclusion === 'success'
