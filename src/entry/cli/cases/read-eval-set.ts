// Reads a labelled set as strictly as a policy: every problem at once, with line and column, before a model is paid.
import { jsonSchemaOf } from '../../../core/contract/policy/json-schema.ts'
import { knownKeys } from '../../../core/contract/policy/known-keys.ts'
import { judgeTree } from '../../../core/contract/policy/read-policy.ts'
import { readYaml } from '../../../core/contract/read-yaml.ts'
import { evalSet, setRules, type EvalCase } from '../../../engine/verify/eval-set.ts'
import { storyCases } from '../../../engine/verify/set/shipped.ts'
import labelledSet from '../../../engine/verify/labelled-set.json' with { type: 'json' }
import { invalid, readText } from './cannot-run.ts'

const SET_MAX = { bytes: 16 * 1024 * 1024, tokens: null, values: 1_000_000 } as const
const setKeys = knownKeys(() => jsonSchemaOf(evalSet))

const answered = evalSet.parse(labelledSet).cases
export const ANSWERED = answered.length

/** Without a file, the set that comes along. JSON is YAML too. */
export async function readEvalSet(file: string | null, recorded: boolean): Promise<readonly EvalCase[]> {
  if (file === null) return recorded ? answered : [...answered, ...storyCases()]
  const text = await readText(file, '`countersign eval --help` shows what a set looks like.')
  const known = plainSet(text, recorded)
  if (known !== null) return known
  const { tree, flaws } = readYaml(text, SET_MAX)
  if (tree === null) throw invalid(file, flaws)
  const judged = judgeTree(tree, evalSet, setKeys, (set) => setRules(set, recorded))
  if (judged.value === null || flaws.length > 0 || judged.flaws.length > 0)
    throw invalid(file, [...flaws, ...judged.flaws])
  return judged.value.cases
}

/** A large set without a mistake is read in a moment; whatever is not one is read again to tell where the mistakes are. */
function plainSet(text: string, recorded: boolean): readonly EvalCase[] | null {
  if (Buffer.byteLength(text) > SET_MAX.bytes) return null
  try {
    const tree: unknown = JSON.parse(text)
    const { data } = evalSet.safeParse(tree)
    return data === undefined || setRules(tree, recorded).length > 0 ? null : data.cases
  } catch {
    return null
  }
}
