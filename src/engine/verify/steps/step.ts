// Where steps stand: around a reader of a change, and around the task that is read for. Each names the hooks that it wants;
// what a hook is given and gives back says what a step there can do.
import type { Around, Named, Pass } from '../../../core/chain.ts'
import type { RecordedEvent } from '../../../core/decision/record/events.ts'
import type { Attempt, GateName } from '../../../core/decision/model.ts'
import type { ProbeGrade } from '../../../core/decision/examined.ts'
import type { Criterion } from '../../../verifier/asking/probes.ts'
import type { ReadChange } from '../../../verifier/change/read-change.ts'
import type { Asking, Call, Tried, Try } from '../asking/asking.ts'
import type { Result, Subject } from '../conclusion.ts'
import type { Failure } from '../failure.ts'
import type { Questions } from '../questions.ts'

/** A reader of a change: the verifier, and the gate that attacks it. */
export type VerifierStep = Named & {
  /** Once, before anybody is asked. */
  readonly beforeAgent?: Pass<Undertaking, Failure>
  /** Before each call, the repeated ones too. */
  readonly beforeModel?: Pass<Call, Failure>
  /** Around a question: its call, and whatever is called again. */
  readonly wrapModelCall?: Around<Try, Tried>
  /** After a reader has answered about all pieces of the change; answers on record come here too. */
  readonly afterModel?: Pass<Answered>
  /** Once, when there is a verdict. */
  readonly afterAgent?: Pass<Ending>
}
/** A task on its way from criteria to a verdict. */
export type CoordinationStep = Named & {
  /** Before criteria become questions. */
  readonly beforeDecompose?: Pass<Criteria, Failure>
  readonly afterDecompose?: Pass<Questions, Failure>
  /** Before money is spent on readers. */
  readonly beforeDispatch?: Pass<Dispatch, Failure>
  /** When everything that was asked has been summed up. */
  readonly afterRollup?: Pass<Ending>
  /** Before the verdict leaves for what stands above the attempt. */
  readonly beforeUpdateParent?: Pass<Ending>
}
export type Steps = {
  readonly verifier: readonly VerifierStep[]
  readonly coordination: readonly CoordinationStep[]
}

export type Undertaking = {
  readonly subject: Subject
  /** What deterministic reading found; null where it takes more than one change may take. */
  readonly found: Found | null
  readonly events: readonly RecordedEvent[]
  readonly now: string
  /** Models that the change is said to be made by. */
  readonly declaredModels: readonly string[]
  /** Who is going to be asked, the judge first; empty where nobody is. */
  readonly models: readonly string[]
  readonly asking: Asking | null
  /** Null where the verifier itself reads. */
  readonly gate: GateName | null
}
export type Found = Omit<ReadChange, 'known'>

export type Answered = {
  readonly answers: readonly Said[]
  /** What a yes rests on that was not shown. */
  readonly rests_on: string | null
}
type Said = { readonly probes: readonly Pick<ProbeGrade, 'answer'>[]; readonly unseen_needed: readonly string[] }

export type Criteria = {
  readonly attempt: Attempt
  /** Those that a model makes questions of. */
  readonly criteria: readonly Criterion[]
  /** Those that are asked as they stand. */
  readonly verbatim: readonly Criterion[]
}

/** All that is going to be asked if all goes well, without what is on record. */
export type Dispatch = {
  readonly asking: Asking
  readonly questions: Questions
  readonly tier: 2 | 3
  readonly calls: number
  readonly usd: number
}

export type Ending = { readonly subject: Subject; readonly result: Extract<Result, { kind: 'verdict' }> }
