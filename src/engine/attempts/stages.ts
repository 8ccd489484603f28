// Whom the stages of a review ask: CODEOWNERS of the base, the teams that are named, and whose addresses stand there.
import { stageQuestion } from '../../core/decision/gate/stages.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { codeOwners, toLookUp, withKnown, type StagePeople } from '../../core/people/stage-people.ts'
import type { Board } from '../../ports.ts'
import type { Engine } from '../engine.ts'

/** So many teams and addresses are looked up for one attempt; beyond them nobody is known. */
const LOOKED_UP_MAX = 50

/** Null where nothing has to be found out. */
export async function peopleAsked(
  { aside }: Pick<Engine, 'aside'>,
  forge: Pick<Board, 'codeOwners' | 'reviewerCalled'>,
  attempt: Attempt,
  tenant: string,
): Promise<readonly StagePeople[] | null> {
  const question = stageQuestion(attempt)
  if (question === null) return null
  const owned = question.stages.some(({ by }) => by.includes(codeOwners))
  const owners = owned ? await forge.codeOwners(attempt.base_ref) : null
  const read = await aside.stages({ ...question, owners }, tenant)
  const people = read ?? question.stages.map(({ name, by }) => unread(name, by, owners?.path ?? 'CODEOWNERS'))
  const names = toLookUp(people)
  const known = await Promise.all(
    names.map(async (name, index) => [name, index < LOOKED_UP_MAX ? await forge.reviewerCalled(name) : null] as const),
  )
  return withKnown(people, new Map(known))
}

function unread(stage: string, by: readonly string[], path: string): StagePeople {
  if (!by.includes(codeOwners)) return { stage, groups: [by], trouble: null }
  return {
    stage,
    groups: [],
    trouble: { code: 'owners_broken', detail: `${path} takes too long to hold against the changed paths` },
  }
}
