// What a case says of the changed files, and of whom the stages of its review ask, as the reports that the rules hear.
import { isTeam } from '../../../core/contract/code-owners.ts'
import { pathFacts, pathRules } from '../../../core/contract/path-facts.ts'
import { stageQuestion } from '../../../core/decision/gate/stages.ts'
import type { TaskState } from '../../../core/decision/model.ts'
import type { Input } from '../../../core/decision/rules/inputs.ts'
import { sameLogin } from '../../../core/people/people.ts'
import { stagePeople, toLookUp, withKnown } from '../../../core/people/stage-people.ts'
import type { Given } from './case-format.ts'

export function filesAndStages({ attempts }: TaskState, given: Given): Input[] {
  const attempt = attempts.at(-1)
  if (attempt === undefined) return []
  const files = given.changed.map((path) => ({ path, previous_path: null, status: 'modified' }) as const)
  const paths = pathFacts(files, pathRules(attempt.contract))
  const listed: Input = { type: 'report_files', attempt_id: attempt.id, files, complete: true, paths }
  const question = stageQuestion({ ...attempt, files, paths })
  if (question === null) return [listed]
  const owners = given.code_owners === null ? null : { path: '.github/CODEOWNERS', text: given.code_owners }
  const people = stagePeople({ ...question, owners })
  const known = new Map(toLookUp(people).map((name) => [name, called(name, given)]))
  return [listed, { type: 'report_stages', attempt_id: attempt.id, people: withKnown(people, known) }]
}

/** The organisation has every team but those that the case says are not to be seen. */
function called(name: string, { unseen_teams, addresses }: Given): string | null {
  if (!isTeam(name)) return addresses[name] ?? null
  return unseen_teams.some((team) => sameLogin(team, name)) ? null : name
}
