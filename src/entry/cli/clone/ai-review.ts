// What the AI review says of what is committed in a clone, by the App's own verifier and the policy that governs. It reads
// commits alone, and whoever asks pays.
import { secretValues } from '../../../checks/runner/environment.ts'
import type { Workspace } from '../../../checks/tier1/workspace.ts'
import { makeContract } from '../../../core/contract/task/make-contract.ts'
import type { Contract } from '../../../core/contract/task/contract.ts'
import { effectiveVerdict } from '../../../core/decision/gate/facts.ts'
import type { CheckResult } from '../../../core/decision/model.ts'
import { hitOf } from '../../../adapters/github/files/evidence.ts'
import { anthropicModel } from '../../../adapters/anthropic/model.ts'
import { loneAttempt } from '../../../engine/verify/lone-attempt.ts'
import { builtInVerifier } from '../../../engine/verify/verifier.ts'
import type { Snapshot } from '../../../verifier/context/look.ts'
import { hunksOf, type Change, type FileChange } from '../../../verifier/change/change.ts'
import { lookAround } from '../../../verifier/context/look.ts'
import { givenEnvironment } from '../../environment.ts'
import type { Settings } from '../../wire.ts'
import { livePorts, whyUnavailable } from '../common/asking.ts'
import { CannotRun } from '../cases/cannot-run.ts'
import type { Committed } from './committed.ts'
import type { Review } from './review-lines.ts'

type Asked = {
  readonly committed: Committed
  readonly checks: readonly CheckResult[]
  readonly model: NonNullable<Settings['model']>
  /** What the task asks, as its issue says it; null where only the commits tell. */
  readonly task: string | null
}

const TASK_CHARACTERS_MAX = 64_000
const FILES_MAX = 50_000
const TEXT_BYTES_MAX = 64 * 1024 * 1024
/** Fetched by git in one go. */
const FILES_AT_ONCE = 500

export async function aiReview({ committed, checks, model, task }: Asked): Promise<Review> {
  const attempt = loneAttempt(contractOf(committed, task), checks)
  const evidence = {
    change: () => changeOf(committed),
    past: async () => [],
    declaredModels: async () => [],
    snapshot: () => snapshotOf(committed.workspace),
  }
  const secrets = secretValues(givenEnvironment())
  const verifier = builtInVerifier(
    { ...livePorts(), clock: { now: () => new Date().toISOString() }, model: anthropicModel(model), evidence },
    {
      login: async () => 'countersign[bot]',
      secrets,
    },
  )
  const answer = await verifier.verify(attempt, 'before a push', 'here')
  const { model: name } = attempt.contract.policy.verification.verifier
  const nothing = { model: name, confidence: null, findings: [], lines: { read: 0, changed: 0 } }
  if (answer.type === 'report_unavailable')
    return { ...nothing, outcome: 'UNAVAILABLE', why: whyUnavailable[answer.reason], usd: answer.cost?.usd ?? 0 }
  const { verdict, examined } = answer
  const answered = { phase: 'answered', id: 'here', verdict, shown: true } as const
  const { outcome, confidence, feedback, reasoning } =
    effectiveVerdict({ ...attempt, verifier: answered })?.verdict ?? verdict
  const { shown, changed } = examined?.coverage ?? { shown: 0, changed: 0 }
  return {
    model: name,
    outcome,
    confidence,
    why: feedback ?? reasoning,
    findings: (examined?.findings ?? []).map(({ path, line, level, claim, failure_scenario, fix }) => {
      return { path, line, level, claim, failure_scenario, fix }
    }),
    lines: { read: shown, changed },
    usd: examined?.cost.usd ?? 0,
  }
}

function contractOf({ policy, messages }: Committed, task: string | null): Contract {
  const [title = '', ...lines] = (task ?? messages).slice(0, TASK_CHARACTERS_MAX).trim().split('\n')
  const body = lines.join('\n')
  const reading = makeContract({ task_id: 'not/pushed#1', title: title.replace(/^#+ /, ''), body, policy, blocks: [] })
  if (!('unreadable' in reading)) return reading.contract
  throw new CannotRun(`the task cannot be read: ${reading.unreadable.map(({ message }) => message).join('; ')}`)
}

async function changeOf({ files, patches, report, workspace }: Committed): Promise<Change> {
  const changed = files.map(async ({ path, previous_path, status }): Promise<FileChange> => {
    const content = await contentOf(workspace, path)
    const patch = content === 'binary' ? null : (patches?.get(path) ?? null)
    const lines = hunksOf(patch ?? '').flatMap((hunk) => hunk.lines)
    const count = (wanted: '+' | '-'): number => lines.filter(({ sign }) => sign === wanted).length
    const unknown = { size: null, blob_sha: null, mode: null, generated_at_base: false }
    return { path, previous_path, status, content, patch, additions: count('+'), deletions: count('-'), ...unknown }
  })
  return { files: await Promise.all(changed), complete: true, hits: report.findings.flatMap(hitOf) }
}

async function contentOf(workspace: Workspace, path: string): Promise<FileChange['content']> {
  const reading = await workspace.read(path)
  if (reading.kind === 'symlink' || reading.kind === 'submodule') return reading.kind
  return reading.kind === 'file' && reading.bytes.includes(0) ? 'binary' : 'text'
}

/** The texts of the commit, as many as there is room for. */
async function snapshotOf(workspace: Workspace): Promise<Snapshot> {
  const paths = (await workspace.list()).slice(0, FILES_MAX)
  const texts = new Map<string, string>()
  let room = TEXT_BYTES_MAX
  for (let at = 0; at < paths.length && room > 0; at += FILES_AT_ONCE) {
    const some = paths.slice(at, at + FILES_AT_ONCE)
    const readings = await Promise.all(some.map((path) => workspace.read(path)))
    for (const [nth, reading] of readings.entries()) {
      if (reading.kind !== 'file' || reading.bytes.includes(0)) continue
      room -= reading.size
      if (room > 0) texts.set(some[nth] ?? '', new TextDecoder().decode(reading.bytes))
    }
  }
  const all = { paths, searchable: room > 0, textOf: (path: string) => texts.get(path) ?? null }
  return { look: async (question) => lookAround(question, all), close: async () => undefined }
}
