// What is examined, as it is once a program has read it: in pieces that are shown, without secrets, and with what was found in
// it before any model is asked.
import type { Contract } from '../../core/contract/contract.ts'
import { redactor } from '../../verifier/asking/clean.ts'
import { checkOutputs } from '../../verifier/asking/prompt.ts'
import { speaksAnywhere } from '../../verifier/change/addressed.ts'
import type { Hit } from '../../verifier/change/change.ts'
import { pack } from '../../verifier/change/pack.ts'
import { addedLines, type ReadChange } from '../../verifier/change/read-change.ts'
import type { Subject } from './conclusion.ts'
import type { Reading } from './reading.ts'

export type Given = Pick<Subject, 'attempt' | 'change' | 'past' | 'redact' | 'keyed' | 'evaluator' | 'surroundings'> & {
  readonly declaredModels: readonly string[]
}

/** `isRead`: whether it takes no more than one change may take. */
export async function subjectOf(
  given: Given,
  reading: Reading,
  remarks: readonly string[],
): Promise<{ readonly subject: Subject; readonly isRead: boolean }> {
  const seen = await found(given, reading)
  return { subject: subjectWith(given, seen ?? nothingFound(given), remarks), isRead: seen !== null }
}

type Found = Pick<ReadChange, 'packed' | 'hits' | 'hidden' | 'speaking' | 'happened'>

/** What deterministic reading finds before any model is asked; null where it takes more than one change may take. */
async function found({ attempt, change, redact }: Given, reading: Reading): Promise<Found | null> {
  const { contract } = attempt
  // Secrets of ours do not leave: they have their placeholders before anybody else reads.
  const files = change.files.map((file) => ({ ...file, patch: file.patch === null ? null : redact.own(file.patch) }))
  const holding = change.files.filter(({ patch }, index) => patch !== files[index]?.patch)
  const answer = await reading.change({ ...questionOf(contract), change: { ...change, files }, known: redact.known })
  if (answer === null) return null
  for (const [secret, mark] of answer.known) redact.known.set(secret, mark)
  return { ...answer, hits: [...answer.hits, ...holding.flatMap(addedLines).map(ownSecret)] }
}

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
function nothingFound({ attempt, change }: Given): Found {
  const { model } = attempt.contract.policy.verification.verifier
  const packed = pack({ ...change, files: [], complete: false }, redactor([]), {
    protectedPaths: [],
    unseenOk: [],
    model,
  })
  return { packed, hits: [], hidden: [], speaking: [], happened: [] }
}

function subjectWith(
  { declaredModels: _models, ...given }: Given,
  { packed, hits, hidden, speaking, happened }: Found,
  remarks: readonly string[],
): Subject {
  const { verifier } = given.attempt.contract.policy.verification
  return {
    ...given,
    change: { ...given.change, hits: [...given.change.hits, ...hits] },
    packed,
    secret: hits.some(({ kind }) => kind === 'secret'),
    hiddenText: verifier.hidden_text === 'refer' && hidden.some(({ useless }) => useless),
    remarks: [
      ...remarks,
      ...hits
        .filter(({ kind }) => kind === 'secret')
        .slice(0, HIDDEN_NAMED_MAX)
        .map(({ path, line }) => `${path}:${line} looks as if it held a secret.`),
      ...hits
        .filter(({ kind }) => kind === 'addressed')
        .slice(0, HIDDEN_NAMED_MAX)
        .map(({ path, line }) => `${path}:${line} has text that addresses its reviewer.`),
      ...[...speaking, ...printed(given)].map((what) => `${what} addresses a reviewer.`),
      ...hidden.slice(0, HIDDEN_NAMED_MAX).map(({ place, sign }) => `hidden_unicode: ${place} has ${sign}.`),
    ],
    happened,
  }
}

/** Checks that printed it; as much is read as is shown. */
const printed = ({ attempt, redact }: Pick<Subject, 'attempt' | 'redact'>): string[] =>
  checkOutputs(attempt, redact)
    .filter(({ text }) => speaksAnywhere(text))
    .map(({ name }) => `What the check ${JSON.stringify(name)} printed`)

const HIDDEN_NAMED_MAX = 20
