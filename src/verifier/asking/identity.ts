// Who judges whom. Nobody judges their own work: an evaluation and a handoff of somebody to themselves cannot be made.
import { digest } from '../../core/canonical.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Identity } from '../../core/decision/verdict.ts'
import { familyOf } from '../calls/model.ts'
import type { AtomicProbe } from './probes.ts'

/** Told to nobody in detail: what helps somebody around the rule stays in the log. */
export class SelfEvaluation extends Error {
  override readonly name = 'SelfEvaluation'
  constructor() {
    super('Nobody judges their own work.')
  }
}

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Before anything is recorded. The builders are logins; an agent is known by its login too. */
export function refuseSelf(attempt: Attempt, evaluator: Identity): void {
  const own = [evaluator.login, evaluator.agent_id, evaluator.session_id]
  if (attempt.builders.some(({ login }) => own.some((id) => same(id, login)))) throw new SelfEvaluation()
}

export const generatorOf = ({ builders }: Attempt): string =>
  builders.find(({ via }) => via.includes('author'))?.login ?? builders[0]?.login ?? 'unknown'

export type Evaluation<T> = T & { readonly evaluator: Identity; readonly generator_agent_id: string }

export function evaluation<T extends object>(
  evaluator: Identity,
  generator_agent_id: string,
  result: T,
): Evaluation<T> {
  if (same(evaluator.agent_id, generator_agent_id)) throw new SelfEvaluation()
  return { ...result, evaluator, generator_agent_id }
}

export type HandoffArtifact = {
  readonly from_agent_id: string
  readonly to_agent_id: string
  readonly from_stage: string
  readonly to_stage: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly artifact_refs: readonly string[]
  readonly acceptance_probes: readonly AtomicProbe[]
  readonly rubric: string | null
  readonly created_at: string
}

/** What goes from one stage to the next; nobody changes it on the way, and its hash is on record. */
export function handoff(artifact: HandoffArtifact): { readonly artifact: HandoffArtifact; readonly hash: string } {
  if (same(artifact.from_agent_id, artifact.to_agent_id)) throw new SelfEvaluation()
  const own = frozen(structuredClone(artifact))
  return { artifact: own, hash: digest(own) }
}

function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

export type ModelDistance = 'different' | 'same' | 'unknown'

/** What is built around a model, and versions of its own say nothing about which. */
const product = /(?:^|-)(?:code|cli|agent|assistant|copilot|desktop|app|bot|dev|ai|by|and|with)(?:-|$)/

/** Whoever serves a model may write more around its name. */
const holds = (name: string, part: string): boolean => `-${name}-`.includes(`-${part}-`)

/** The builder's model is known only where it is declared, and a product's name, such as Claude, is no model's. */
export function modelDistance(evaluator: string, declared: readonly string[]): ModelDistance {
  const own = familyOf(evaluator)
  const near = declared.map((model): ModelDistance => {
    const family = familyOf(model)
    if (same(family, own)) return 'same'
    const apart = !holds(own, family) && !holds(family, own)
    return /\d/.test(model) && apart && !product.test(family) ? 'different' : 'unknown'
  })
  if (near.includes('same')) return 'same'
  return near.length === 0 || near.includes('unknown') ? 'unknown' : 'different'
}
