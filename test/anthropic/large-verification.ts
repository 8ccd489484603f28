// A verification as large as a large task, on a server that caches as the real one does: a prefix can be read from when the
// answer that wrote it has begun, and not before. What it costs at list price follows from the usage that the server reports.
import { z } from 'zod'
import { anthropicModel } from '../../src/adapters/anthropic/model.ts'
import type { GateReport } from '../../src/core/decision/gate-report.ts'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import type { Change } from '../../src/verifier/change/change.ts'
// prettier-ignore
import {
  aChange, aContract, aFile, attemptFor, aVerifier, guardLines, proof, saysPass, verdictOf,
} from '../verifier/lab.ts'
import { attacks, flaw, founds, refutes } from '../verifier/first-readings.ts'
import { aWire, ended, fails, opened, streams, texts, type Wire } from './server.ts'

const blocks = z.array(z.object({ text: z.string(), cache_control: z.object({ ttl: z.string() }).optional() }))
const bodyShape = z.object({ model: z.string(), system: blocks, messages: z.tuple([z.object({ content: blocks })]) })
const CHARACTERS_PER_TOKEN = 3.6
const OUTPUT_TOKENS = 5_000

/** Answers after a moment, as the real one does, so that calls made at the same time would miss the cache. */
async function aCachingWire(findings: number): Promise<Wire> {
  const readable = new Set<string>()
  return aWire((response, { path, body }) => {
    if (path.startsWith('/v1/models')) return fails(response, 500, { type: 'api_error', message: 'later' })
    const { model, system, messages } = bodyShape.parse(body)
    const all = [...system, ...messages[0].content]
    const last = all.findLastIndex((block) => block.cache_control !== undefined)
    const tokens = (from: number, to: number): number =>
      Math.round(all.slice(from, to).reduce((sum, { text }) => sum + text.length, 0) / CHARACTERS_PER_TOKEN)
    const prefix = JSON.stringify(all.slice(0, last + 1).map(({ text }) => text))
    const hit = readable.has(prefix)
    const shared = tokens(0, last + 1)
    const usage = {
      input_tokens: tokens(last + 1, all.length),
      cache_creation_input_tokens: hit ? 0 : shared,
      cache_read_input_tokens: hit ? shared : 0,
      output_tokens: 1,
    }
    const request = {
      model,
      system: system.map(({ text }) => ({ text, cache: null })),
      content: messages[0].content.map(({ text }) => ({ text, cache: null })),
      format: null,
      effort: 'high',
      max_tokens: 1,
    } as const
    setTimeout(() => {
      readable.add(prefix)
      const end = ended('end_turn').map((event) =>
        event.type === 'message_delta' ? { ...event, usage: { output_tokens: OUTPUT_TOKENS } } : event,
      )
      streams(response, [opened(usage), ...texts(JSON.stringify(answerTo(request, findings))), ...end])
    }, 20)
    return undefined
  })
}

/** Each finding at a line of its own, and refuted by the guard. */
function answerTo(request: ModelRequest, findings: number) {
  const { step } = promptSeen(request)
  if (step === 'attack')
    return attacks(request, ...Array.from({ length: findings }, (_, at) => ({ ...flaw, ...defect(at * 10 + 1) })))
  if (step === 'find') return founds(request, ...Array.from({ length: findings }, (_, at) => defect(at * 10 + 1)))
  return step === 'refute' ? refutes(request, 'refuted', proof) : saysPass(request)
}

const defect = (line: number) => ({
  path: 'src/rates.ts',
  line,
  quote: `export const rate${line - 1} = table.lookup('${line - 1}')`,
})

type Size = {
  readonly lines?: number
  readonly tier?: 2 | 3
  /** As many as the policy has by default, each with this many findings; none unless said. */
  readonly findings?: number
  /** The files of its commit, so many that what is shown of them fills its room. */
  readonly repository?: Readonly<Record<string, string>>
}

/** About 28,000 tokens, at tier 3 with three votes, unless said otherwise. */
export async function aLargeVerification({ lines: count = 1_820, tier = 3, repository, findings }: Size = {}) {
  const wire = await aCachingWire(findings ?? 0)
  try {
    const answer = await verdictOf({
      model: anthropicModel({ apiKey: 'k', baseUrl: wire.url }),
      attempt: attemptFor(aContract({ verifier: { tier, votes: 3, finders: findings === undefined ? 0 : 5 } })),
      change: rates(count),
      ...(repository === undefined ? {} : { repository }),
    })
    if (answer.type !== 'report_verdict' || answer.examined === undefined) throw new Error('There is no verdict')
    const { around = [], cost } = answer.examined
    return { verdict: answer.verdict, cost, around }
  } finally {
    await wire.stop()
  }
}

const rates = (count: number): Change => {
  const lines = Array.from({ length: count }, (_, at) => `+export const rate${at} = table.lookup('${at}')`)
  return aChange([aFile('src/users.ts', guardLines), aFile('src/rates.ts', lines)])
}

/** The red team at such a change, with so many findings that another reader refutes. */
export async function aLargeAttack({ lines, findings, repository }: Required<Omit<Size, 'tier'>>): Promise<GateReport> {
  const wire = await aCachingWire(findings)
  try {
    const contract = aContract({ policy: { security: { red_team: { enabled: true, min_stakes: 'low' } } } })
    const trial = { model: anthropicModel({ apiKey: 'k', baseUrl: wire.url }), change: rates(lines), repository }
    const answer = await aVerifier(trial).judgeGate(attemptFor(contract), 'red_team', 'session-1', 'R1#9')
    if (answer?.report === undefined) throw new Error('Nobody attacked')
    return answer.report
  } finally {
    await wire.stop()
  }
}

/** More than there is room for around a change. */
export const manyCallers: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => {
    const body = Array.from({ length: 55 }, (_line, row) => `  record(${at}, ${row}, 'what a caller does with it')`)
    return [`src/caller${at}.ts`, `export function caller${at}() {\n  remove(${at})\n${body.join('\n')}\n}\n`]
  }),
)
