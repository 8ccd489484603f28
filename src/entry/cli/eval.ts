// `countersign eval`: how good the verifier is on changes whose label is known, with a model or with answers on file.
import { parseArgs } from 'node:util'
import { policySchema, type Policy } from '../../core/contract/policy/policy.ts'
import { visible } from '../../core/visible.ts'
import { storyCases } from '../../engine/verify/set/shipped.ts'
import { recordedModel, type EvalCase } from '../../engine/verify/eval-set.ts'
import { doubleModel, doubleNames, type DoubleName } from '../../engine/verify/doubles/doubles.ts'
import { ablations, evaluateSet, type Ablation } from '../../engine/verify/evaluate.ts'
import { pricedModels, priceTable } from '../../core/contract/policy/prices.ts'
import { scoresOf, type EvalRow } from '../../verifier/weighing/score.ts'
import { report, scoreTable } from '../../verifier/weighing/score-words.ts'
import { processEnvironment } from '../environment.ts'
import { readSettings, SettingsWrong } from '../wire.ts'
import { livePorts, offline, whyUnavailable } from './common/asking.ts'
import { CannotRun, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { compareRuns } from './cases/eval-compare.ts'
import { evalHelp } from './cases/eval-help.ts'
import { ANSWERED, readEvalSet } from './cases/read-eval-set.ts'
import { wrongOption } from './common/wrong-option.ts'

const REPEATS_MAX = 100
const defaultModel = policySchema.parse({}).verification.verifier.model

const stories = storyCases()
const help = evalHelp({
  cases: ANSWERED + stories.length,
  languages: new Set(stories.map(({ language }) => language)).size,
  repeatsMax: REPEATS_MAX,
  model: defaultModel,
})

export const evaluate: CliCommand = { name: 'eval', summary: 'measure the verifier on a labelled set', help, run }

type Price = { readonly input: number; readonly output: number }
type Wish = {
  readonly set: string | null
  readonly recorded: boolean
  readonly double: DoubleName | null
  readonly ablate: Ablation | null
  /** Two files. */
  readonly compare: readonly [string, string] | null
  readonly repeats: number
  readonly model: string
  readonly price: Price | null
  readonly json: boolean
  readonly markdown: boolean
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  if (args[0] === 'build') return (await import('./building/build.ts')).build(args.slice(1), io)
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign eval: ${wish}. \`countersign eval --help\` says what there is.`)
    return 2
  }
  try {
    if (wish.compare !== null) {
      io.out(await compareRuns(...wish.compare))
      return 0
    }
    const judge = await judgeOf(wish, io)
    const cases = await readEvalSet(wish.set, wish.recorded)
    const rows = await judge(cases, wish)
    io.out(told(wish, rows))
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
    const options = {
      recorded: flag, json: flag, markdown: flag, compare: flag, repeats: word, model: word, price: word, double: word, ablate: word,
    } as const // prettier-ignore
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const { recorded, json, markdown, repeats = '1', model, price } = values
    const [set = null, other, ...more] = positionals
    if (values.compare && (set === null || other === undefined || more.length > 0)) return '--compare takes two files'
    if (!values.compare && other !== undefined) return 'name one set at a time'
    const double = oneOf(doubleNames, values.double)
    if (double === undefined) return `--double is ${doubleNames.join(', ')}`
    const ablate = oneOf(ablations, values.ablate)
    if (ablate === undefined) return `--ablate is ${ablations.join(', ')}`
    if (recorded && double !== null) return '--recorded has answers on file, which --double does not take'
    if (recorded && ablate !== null) return '--ablate is for asking, which --recorded does not'
    if (recorded && model !== undefined) return '--model is for asking a model, which --recorded does not'
    if (double !== null && model !== undefined) return '--model is for asking a model, which --double does not'
    if (model === '') return '--model needs the id of a model'
    const [, read, written] = /^(\d{1,4}(?:\.\d{1,4})?)\/(\d{1,4}(?:\.\d{1,4})?)$/.exec(price ?? '') ?? []
    if (price !== undefined && read === undefined) return '--price is two numbers of dollars, such as 3/15'
    const rounds = /^\d{1,4}$/.test(repeats) ? Number(repeats) : 0
    if (rounds < 1 || rounds > REPEATS_MAX) return `--repeats is a number from 1 to ${REPEATS_MAX}`
    const said = price === undefined ? null : { input: Number(read), output: Number(written) }
    const compare = values.compare && set !== null && other !== undefined ? ([set, other] as const) : null
    return {
      set,
      recorded,
      double,
      ablate,
      compare,
      json,
      markdown,
      repeats: rounds,
      model: model ?? defaultModel,
      price: said,
    }
  } catch (error) {
    return wrongOption(error, [
      'recorded',
      'json',
      'markdown',
      'compare',
      'repeats',
      'model',
      'price',
      'double',
      'ablate',
      'help',
    ])
  }
}

/** Null for nothing said, undefined for none of them. */
const oneOf = <T extends string>(known: readonly T[], said: string | undefined): T | null | undefined =>
  said === undefined ? null : known.find((one) => one === said)

type Judge = (cases: readonly EvalCase[], wish: Wish) => Promise<EvalRow[]>

function judgeOf(wish: Wish, io: Io): Promise<Judge> | Judge {
  if (wish.recorded) return judgeAnswers
  return wish.double === null ? judgeLive(wish, io) : judgeDouble(wish.double)
}

const judgeAnswers: Judge = (cases, { repeats }) => evaluateSet(cases, offline, { modelFor: recordedModel, repeats })

/** As a repository without a policy is judged, so that nothing is easier for the double than for a model. */
const judgeDouble =
  (double: DoubleName): Judge =>
  (cases, { repeats, ablate }) =>
    evaluateSet(cases, offline, {
      modelFor: ({ kind }) => doubleModel(double, kind === 'injected'),
      policy: livePolicy(defaultModel, null),
      repeats,
      ablate,
    })

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
  const live = livePorts()
  return (cases, { repeats, ablate }) => {
    const runs = cases.length * repeats
    const begun = (nth: number, { name }: EvalCase): void => io.err(`${nth} of ${runs}: ${visible(name)}`)
    return evaluateSet(cases, live, { modelFor: () => model, policy, repeats, ablate, begun })
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

function told(wish: Wish, rows: readonly EvalRow[]): string {
  const { recorded, double, ablate, repeats, model, json, markdown } = wish
  const scores = scoresOf(rows)
  const source = sourceOf(wish)
  if (json) {
    const asked = recorded || double !== null ? null : model
    return JSON.stringify({ source, recorded, double, ablate, model: asked, repeats, rows, scores }, null, 2)
  }
  return markdown ? report({ source, scores }) : `${scoreTable(rows, scores)}\n\n${source}`
}

function sourceOf({ recorded, double, ablate, model }: Wish): string {
  const without = ablate === null ? '' : ` Judged without ${withoutWords[ablate]}.`
  if (recorded) return 'Answers on file: they show what the rules make of them, and nothing about a model.'
  if (double !== null)
    return `Answers of a stand-in without judgement, the ${double} one: whatever it gets passed is a flaw of the verifier.${without}`
  return `Judged by ${visible(model)}, at the list prices of ${priceTable}.${without}`
}

const withoutWords = {
  context: 'the code around the change',
  finders: 'first readings',
  votes: 'votes',
} as const satisfies Record<Ablation, string>

function tellUnavailable(rows: readonly EvalRow[], io: Io): ExitCode {
  const reasons = rows.flatMap(({ outcome, reason }) => (outcome === 'UNAVAILABLE' ? [reason ?? ''] : []))
  if (reasons.length === 0) return 0
  const words = Object.entries(whyUnavailable).flatMap(([reason, why]) => (reasons.includes(reason) ? [why] : []))
  io.err(`countersign eval: ${reasons.length} of ${rows.length} were not judged: ${words.join('; ')}.`)
  return 1
}
