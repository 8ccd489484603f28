// What an attacker is asked: the same task, results, change and surroundings as every other reader, and at the end where to
// attack. Blind like all of them: no word of the author about the change.
import { canonical } from '../../core/canonical.ts'
import type { Surface } from '../../core/contract/surfaces.ts'
import type { GateFinding } from '../../core/decision/gate-report.ts'
import { fenceId, wrapUntrusted } from '../asking/fence.ts'
import { closing, layout, leaving, shared, type Brief, type Terms } from '../asking/prompt.ts'
import { roleChunk } from '../asking/role.ts'
import type { ModelRequest } from '../calls/model.ts'
import type { Chunk } from '../change/pack.ts'
import { attackSchema } from './answer.ts'

export type AttackTerms = Terms & {
  readonly surfaces: readonly Surface[]
  /** What earlier attacks found, which is tried by itself. */
  readonly known: readonly GateFinding[]
}

const ANSWER_TOKENS_MAX = 12_000

export function attackRequest(brief: Brief, chunk: Chunk, terms: AttackTerms): ModelRequest {
  const { surfaces, known, nonce, model } = terms
  const told = known.map(({ path, line, quote, claim }) => canonical({ path, line, quote, claim }))
  const atHand =
    told.length === 0
      ? []
      : [
          layout.claims,
          wrapUntrusted('criteria-json', fenceId(brief.keyed, `${nonce}|findings`), 'findings', told.join('\n')),
        ]
  const text = [layout.now, layout.attack, surfaces.join(' '), ...atHand, ...closing(brief, terms)].join('\n')
  return leaving(brief.redact, {
    model,
    system: [{ text: roleChunk('role-attacker'), cache: null }],
    content: [...shared(brief, chunk), { text, cache: null }],
    format: attackSchema,
    effort: 'high',
    max_tokens: ANSWER_TOKENS_MAX,
  })
}
