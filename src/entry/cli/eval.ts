// `countersign eval`: how good the verifier is on changes whose label is known, with a model or with answers on file.
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { policySchema, type Policy } from '../../core/contract/policy.ts'
import type { UnavailableReason } from '../../core/decision/model.ts'
import { visible } from '../../core/visible.ts'
import { recordedModel, recordedNonce, type EvalCase } from '../../engine/verify/eval-set.ts'
import { evaluateSet, type EvalPorts } from '../../engine/verify/evaluate.ts'
import { pricedModels, priceTable } from '../../core/contract/prices.ts'
import { scoresOf, scoreTable, type EvalRow } from '../../verifier/weighing/score.ts'
import { processEnvironment } from '../environment.ts'
import { readSettings, SettingsWrong } from '../wire.ts'
import { CannotRun, tellProblems } from './cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './cli-command.ts'
import { readEvalSet } from './read-eval-set.ts'
import { wrongOption } from './wrong-option.ts'

const REPEATS_MAX = 100
const defaultModel = policySchema.parse({}).verification.verifier.model

const help = `countersign eval [set] [--recorded] [--repeats N] [--model ID [--price IN/OUT]] [--json]

Judges changes of which it is known whether they should pass, with the verifier as it is, and prints what it let through,
what it stopped for nothing, how often it was sure and right, and what that cost. Without a set it judges the small one
that comes along.

  --recorded     judge the answers in the set: offline, without a key, the same every time. It shows what the rules make
                 of answers and says nothing about a model
  --repeats N    judge each case N times, at most ${REPEATS_MAX}, to see how often it ends differently (the flip rate); the
                 other figures count each time as a case
  --model ID     ask this model instead of ${defaultModel}
  --price IN/OUT what it costs, in dollars per million tokens read and written, such as 3/15, where that is not known
  --json         print { recorded, model, repeats, rows, scores } for programs
  --help         this text

Without --recorded a model is asked, which costs money. ANTHROPIC_API_KEY is the key, MODEL_BASE_URL where the API is
served if not at its home, both in the environment or in .env. Progress goes to standard error.

A set is a file in YAML or JSON:

  cases:
    - name: pages keep their last item
      label: accept                # accept, reject, or human: a person should be asked
      issue: |
        ## Acceptance criteria
        - The last page holds what is left.
      files:
        - path: src/pages.ts
          patch: |
            @@ -1,2 +1,2 @@
             export const pages = (items, size) =>
            -  Math.floor(items / size)
            +  Math.ceil(items / size)

A case may also have
  stakes      low, medium (the default), high, critical; the last two are judged in tier 3
  scope       paths that the task may touch, such as [src/**]; a change elsewhere is stopped before the verifier
  checks      what ran: { test: { passed: true, output: 14 tests passed } }
  kind        good, subtly_wrong, tampered_tests, empty, out_of_scope or injected: for you, nothing follows from it
  answers     for --recorded: what a model answers, call by call, with the nonce \`${recordedNonce}\`; the last one stands for
              all that follow
and a file \`status: added\`, \`removed\` or \`renamed\`. A change without files is empty, and stopped as such.

Exit code 0: every case was judged, well or badly. 1: the model did not answer for at least one, and the figures are
without it. 2: the command could not run.`

export const evaluate: CliCommand = { name: 'eval', summary: 'measure the verifier on a labelled set', help, run }

type Price = { readonly input: number; readonly output: number }
type Wish = {
  readonly set: string | null
  readonly recorded: boolean
  readonly repeats: number
  readonly model: string
  readonly price: Price | null
  readonly json: boolean
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign eval: ${wish}. \`countersign eval --help\` says what there is.`)
    return 2
  }
  try {
    const judge = wish.recorded ? judgeAnswers : await judgeLive(wish, io)
    const cases = await readEvalSet(wish.set, wish.recorded)
    const rows = await judge(cases, wish.repeats)
    io.out(wish.json ? forPrograms(wish, rows) : forPeople(wish, rows))
    return tellUnavailable(rows, io)
  } catch (error) {
    const why = error instanceof SettingsWrong ? new CannotRun(error.message) : error
    if (!(why instanceof CannotRun)) throw why
    return tellProblems('countersign eval', why, wish.json, io)
  }
}

/** What is asked for, or what is wrong with how it was asked. */
function wishIn(args: readonly string[]): Wish | string {
  const flag = { type: 'boolean', default: false } as const
  const word = { type: 'string' } as const
  try {
    const options = { recorded: flag, json: flag, repeats: word, model: word, price: word } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { recorded, json, repeats = '1', model, price } = values
    const [set = null, ...more] = positionals
    if (more.length > 0) return 'name one set at a time'
    if (recorded && model !== undefined) return '--model is for asking a model, which --recorded does not'
    if (model === '') return '--model needs the id of a model'
    const [, read, written] = /^(\d{1,4}(?:\.\d{1,4})?)\/(\d{1,4}(?:\.\d{1,4})?)$/.exec(price ?? '') ?? []
    if (price !== undefined && read === undefined) return '--price is two numbers of dollars, such as 3/15'
    const rounds = /^\d{1,4}$/.test(repeats) ? Number(repeats) : 0
    if (rounds < 1 || rounds > REPEATS_MAX) return `--repeats is a number from 1 to ${REPEATS_MAX}`
    const said = price === undefined ? null : { input: Number(read), output: Number(written) }
    return { set, recorded, json, repeats: rounds, model: model ?? defaultModel, price: said }
  } catch (error) {
    return wrongOption(error, ['recorded', 'json', 'repeats', 'model', 'help'])
  }
}

type Judge = (cases: readonly EvalCase[], repeats: number) => Promise<EvalRow[]>

/** Nobody outside reads these prompts, so that nothing has to be kept from being guessed. */
const offline: EvalPorts = {
  clock: { now: () => new Date().toISOString() },
  keyed: (text) => createHmac('sha256', 'eval').update(text).digest('hex'),
  nonce: () => recordedNonce,
  pause: async () => undefined,
  chance: () => 0,
}

const judgeAnswers: Judge = (cases, repeats) => evaluateSet(cases, offline, { modelFor: recordedModel, repeats })

async function judgeLive({ model: id, price }: Wish, io: Io): Promise<Judge> {
  const policy = livePolicy(id, price)
  const { model: settings } = readSettings(processEnvironment())
  if (settings === null) {
    throw new CannotRun(
      'ANTHROPIC_API_KEY is missing. Set it, in the environment or in .env, to ask a model; ' +
        'or say --recorded to judge the answers in the set, offline.',
    )
  }
  const { anthropicModel } = await import('../../adapters/anthropic/model.ts')
  const model = anthropicModel(settings)
  const secret = randomBytes(32)
  const live: EvalPorts = {
    ...offline,
    keyed: (text) => createHmac('sha256', secret).update(text).digest('hex'),
    nonce: () => randomBytes(8).toString('hex'),
    // A pause that is cut short is over; whoever cut it looks at the signal.
    pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
    chance: Math.random,
  }
  return (cases, repeats) => {
    const runs = cases.length * repeats
    const begun = (nth: number, { name }: EvalCase): void => io.err(`${nth} of ${runs}: ${visible(name)}`)
    return evaluateSet(cases, live, { modelFor: () => model, policy, repeats, begun })
  }
}

/** As a repository without a policy is judged. Nobody knows which model built the changes of a set. */
function livePolicy(model: string, price: Price | null): Policy {
  const parsed = policySchema.safeParse({
    verification: { verifier: { model, require_different_model: 'off' } },
    budget: { prices: price === null ? {} : { [model]: price } },
  })
  if (parsed.success) return parsed.data
  throw new CannotRun(
    `nobody knows what ${visible(model)} costs. Say it with --price, or ask ${pricedModels.join(', ')}`,
  )
}

function forPrograms({ recorded, repeats, model }: Wish, rows: readonly EvalRow[]): string {
  return JSON.stringify({ recorded, model: recorded ? null : model, repeats, rows, scores: scoresOf(rows) }, null, 2)
}

function forPeople({ recorded, model }: Wish, rows: readonly EvalRow[]): string {
  const source = recorded
    ? 'Answers on file: they show what the rules make of them, and nothing about a model.'
    : `Judged by ${visible(model)}, at the list prices of ${priceTable}.`
  return `${scoreTable(rows, scoresOf(rows))}\n\n${source}`
}

const whyUnavailable = {
  transient: 'the API could not be reached or did not work',
  ramp: 'the API holds back, since its use grows too fast',
  money: 'a spend limit is reached',
  config: 'the API refused the request; check ANTHROPIC_API_KEY, MODEL_BASE_URL and the model',
  no_key: 'there is no key',
  deadline: 'no answer came in time',
  quorum: 'too few votes came in',
  capability: 'the API does not serve that model, or the model cannot answer in a given form',
  no_result: 'there is no result',
} as const satisfies Record<UnavailableReason, string>

function tellUnavailable(rows: readonly EvalRow[], io: Io): ExitCode {
  const reasons = rows.flatMap(({ outcome, reason }) => (outcome === 'UNAVAILABLE' ? [reason ?? ''] : []))
  if (reasons.length === 0) return 0
  const words = Object.entries(whyUnavailable).flatMap(([reason, why]) => (reasons.includes(reason) ? [why] : []))
  io.err(`countersign eval: ${reasons.length} of ${rows.length} were not judged: ${words.join('; ')}.`)
  return 1
}
