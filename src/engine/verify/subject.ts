// What is examined, as it is once a program has read it: in pieces that are shown, without secrets, and with what the steps
// before any question find in it.
import { Ended, forth } from '../../core/chain.ts'
import type { Contract } from '../../core/contract/task/contract.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import type { GateName } from '../../core/decision/model.ts'
import { redactor } from '../../verifier/asking/clean.ts'
import type { Hit } from '../../verifier/change/change.ts'
import { pack, type Packed } from '../../verifier/change/pack.ts'
import { addedLines } from '../../verifier/change/read-change.ts'
import type { Asking } from './asking/asking.ts'
import type { Subject } from './conclusion.ts'
import type { Failure } from './failure.ts'
import type { Reading } from './reading.ts'
import type { Found } from './steps/step.ts'

export type Given = Pick<
  Subject,
  'attempt' | 'change' | 'past' | 'redact' | 'keyed' | 'evaluator' | 'surroundings' | 'steps'
> & {
  readonly events: readonly RecordedEvent[]
  readonly now: string
  readonly declaredModels: readonly string[]
}
type Asked = { readonly asking: Asking | null; readonly models: readonly string[]; readonly gate: GateName | null }

/** `failure`: why nobody is to be asked about it. */
export async function subjectOf(
  { events, now, declaredModels, ...given }: Given,
  asked: Asked,
  reading: Reading,
): Promise<{ readonly subject: Subject; readonly failure: Failure | null }> {
  const found = await foundIn(given, reading)
  const packed = found?.packed ?? nothingShown(given)
  const ranked = found?.ranked.task ?? []
  const plain = { secret: false, hiddenText: false, remarks: [], happened: [], hashes: null } as const
  const subject = { ...given, ...plain, packed, ranked }
  const steps = given.steps.verifier
  const whole = { subject, found, events, now, declaredModels, ...asked }
  const ready = await forth(steps, ({ beforeAgent }) => beforeAgent, whole)
  return ready instanceof Ended ? { subject, failure: ready.as } : { subject: ready.subject, failure: null }
}

/** What deterministic reading finds before any model is asked; null where it takes more than one change may take. */
async function foundIn({ attempt, change, redact }: Readable, reading: Reading): Promise<Found | null> {
  const { contract } = attempt
  // Secrets of ours do not leave: they have their placeholders before anybody else reads.
  const files = change.files.map((file) => ({ ...file, patch: file.patch === null ? null : redact.own(file.patch) }))
  const holding = change.files.filter(({ patch }, index) => patch !== files[index]?.patch)
  const answer = await reading.change({ ...questionOf(contract), change: { ...change, files }, known: redact.known })
  if (answer === null) return null
  const { known, ...found } = answer
  for (const [secret, mark] of known) redact.known.set(secret, mark)
  return { ...found, hits: [...found.hits, ...holding.flatMap(addedLines).map(ownSecret)] }
}

type Readable = Pick<Given, 'attempt' | 'change' | 'redact'>

/** A secret of whoever runs the App, wherever it stands, is one. */
const ownSecret = ({ path, line }: { readonly path: string; readonly line: number }): Hit => ({
  kind: 'secret',
  path,
  line,
})

const questionOf = ({ policy, description, acceptance_criteria: criteria }: Contract) => ({
  model: policy.verification.verifier.model,
  protectedPaths: policy.protected_paths,
  unseenOk: policy.verification.verifier.unseen_ok,
  secrets: policy.verification.tier1.secrets,
  secretsAllowed: [...policy.verification.tier1.secrets_allowed, ...policy.verification.tier1.ignore],
  hiddenAllowed: policy.verification.verifier.hidden_text_allowed,
  description,
  criteria,
})

/** Nothing was read of it, and that is what its coverage says. */
function nothingShown({ attempt, change }: Readable): Packed {
  const { model } = attempt.contract.policy.verification.verifier
  return pack({ ...change, files: [], complete: false }, redactor([]), { protectedPaths: [], unseenOk: [], model })
}
