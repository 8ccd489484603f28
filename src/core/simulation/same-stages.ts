// Whom the review stages asked then, as far as another policy asks them in the same way. Whom it asks otherwise nobody looked up.
import { canonical } from '../canonical.ts'
import { stageQuestion } from '../decision/gate/stages.ts'
import type { Attempt } from '../decision/model.ts'
import type { StagePeople } from '../people/stage-people.ts'
import { codeSpan } from '../words/untrusted.ts'

export const stillAsked = (people: readonly StagePeople[], was: Attempt, is: Attempt): readonly StagePeople[] =>
  people.filter(({ stage }) => isSameStage(was, is, stage))

/** In words. */
export function stagesUnknown(was: Attempt, is: Attempt): string[] {
  const looked = (name: string): boolean => is.stages?.some(({ stage }) => stage === name) ?? false
  return (stageQuestion(is)?.stages ?? [])
    .filter(({ name }) => !looked(name) && !isSameStage(was, is, name))
    .map(({ name }) => `whom review stage ${codeSpan(name)} asks was not looked up`)
}

function isSameStage(was: Attempt, is: Attempt, stage: string): boolean {
  const rule = ({ contract: { policy } }: Attempt): string => {
    const found = policy.review.stages.find(({ name }) => name === stage)
    return canonical([found?.by ?? null, found?.paths ?? null, policy.roles])
  }
  return rule(was) === rule(is)
}
