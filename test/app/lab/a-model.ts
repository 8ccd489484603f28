// A model behind the wire of its vendor, for the App as a process. It reads what it is shown, answers each question with a
// line that is really there, and says otherwise where a test wants it to.
import { z } from 'zod'
import { aWire, answers, ended, fails, opened, streams } from '../../anthropic/server.ts'
import type { ModelRequest } from '../../../src/verifier/calls/model.ts'
import { promptSeen } from '../../../src/engine/verify/doubles/prompt-seen.ts'
import { attacks, flaw, founds, refutes } from '../../verifier/first-readings.ts'
import { saysPass, type Said } from '../../verifier/lab.ts'

const blocks = z.array(z.object({ text: z.string() }))
const bodyShape = z.object({ model: z.string(), system: blocks, messages: z.tuple([z.object({ content: blocks })]) })

export type Mood =
  | { readonly kind: 'pass' }
  /** Objects to the line of this text. */
  | { readonly kind: 'object'; readonly to: string; readonly claim: string; readonly fix: string }
  /** Lets everything pass, and attacks the line of this text with success. */
  | { readonly kind: 'attack'; readonly at: string; readonly claim: string; readonly scenario: string }
  /** Lets everything pass, and refuses to attack. */
  | { readonly kind: 'refuse' }
  | { readonly kind: 'down' }
  /** Thinks until the test says. */
  | { readonly kind: 'slow'; readonly until: Promise<void> }

/** It quotes the first line that the change adds. */
export async function aModel(path: string) {
  let mood: Mood = { kind: 'pass' }
  const wire = await aWire((response, { path: asked, body }) => {
    if (asked.startsWith('/v1/models')) return fails(response, 500, { type: 'api_error' })
    if (mood.kind === 'down') return fails(response, 529, { type: 'overloaded_error', message: 'busy' })
    const request = requestOf(body)
    const { step } = promptSeen(request)
    if (step === 'attack' && mood.kind === 'refuse') return streams(response, [opened(), ...ended('refusal')])
    const said = JSON.stringify(saidAt(step, request, mood))
    if (mood.kind === 'slow') void mood.until.then(() => answers(response, said))
    else answers(response, said)
  })

  function saidAt(step: ReturnType<typeof promptSeen>['step'], request: ModelRequest, now: Mood): Said {
    if (step === 'find') return founds(request)
    if (step === 'refute') return refutes(request, 'stands')
    if (step !== 'attack') return saysPass(request, opinion(request, now))
    const seen = promptSeen(request).lines.find(({ text }) => now.kind === 'attack' && text.includes(now.at))
    if (now.kind !== 'attack' || seen === undefined) return attacks(request)
    const { path: of, side, line, text: quote } = seen
    const { claim, scenario: failure_scenario } = now
    return attacks(request, { ...flaw, path: of, side, line, quote, claim, failure_scenario })
  }

  function opinion(request: ModelRequest, now: Mood): Said {
    const text = request.content.map((block) => block.text).join('\n')
    const [, number = '1', quote = ''] = /^\s*(\d+) \+│ (.*)$/m.exec(text) ?? []
    const line = Number(number)
    const evidence = [{ path, side: 'new', line, quote }]
    const { probes } = saysPass(request)
    const met = Array.isArray(probes) ? probes.map((probe: Said) => ({ ...probe, evidence })) : []
    if (now.kind !== 'object' || !quote.includes(now.to)) return { probes: met }
    const finding = {
      path,
      side: 'new',
      line,
      quote,
      category: 'correctness',
      claim: now.claim,
      failure_scenario: 'A customer is billed.',
      fix: now.fix,
      level: 'blocking',
    }
    return { probes: met, findings: [finding] }
  }
  return {
    env: { ANTHROPIC_API_KEY: 'sk-ant-of-the-tests', MODEL_BASE_URL: wire.url },
    is: (next: Mood): void => {
      mood = next
    },
    /** Everything that it was shown. */
    prompts: () =>
      wire.arrived
        .filter((one) => one.path.startsWith('/v1/messages'))
        .map(({ body }) =>
          requestOf(body)
            .content.map(({ text }) => text)
            .join('\n'),
        ),
    calls: () => wire.arrived.filter((one) => one.path.startsWith('/v1/messages')).length,
    stop: wire.stop,
  }
}

function requestOf(body: unknown): ModelRequest {
  const { model, system, messages } = bodyShape.parse(body)
  const plain = ({ text }: { text: string }) => ({ text, cache: null })
  const content = messages[0].content.map(plain)
  return { model, system: system.map(plain), content, format: null, effort: 'high', max_tokens: 1 }
}
