// Which workflows of a branch run the Action. Only the tip of the base is asked: a change cannot name its own judge. What
// a workflow calls elsewhere is read where it is pinned by its commit; else it is not known, and said to be so.
// https://docs.github.com/en/actions/how-tos/reuse-automations/reuse-workflows
import type { ActionUse, WorkflowPart } from '../../../core/decision/results/job-plan.ts'
import type { Access, Place } from '../access.ts'
import { fileAt, folderAt } from '../files/file-at.ts'
import { orUnseen } from '../status.ts'
import { checkoutInto, folderOf, isBaseRef, isCheckout, isOurs, isOwnManifest } from './our-action.ts'
import type { Step } from './workflow-file.ts'
import { readHere, type Reading } from '../reading.ts'

const FILES_MAX = 50
const FILE_BYTES_MAX = 256 * 1024
const NESTED_MAX = 10
/** Files beside the workflows of the branch itself, and how often anything is looked into at all. */
const READS_MAX = 40
const LOOKS_MAX = 300

export type KnownWorkflow = {
  readonly path: string
  /** What its jobs that run the Action are called, or null where that cannot be told from their text. */
  readonly jobs: readonly string[] | null
  /** All of its jobs. */
  readonly parts: readonly WorkflowPart[]
  /** Files of the base that run in the copy of the change: who may rewrite one judges what is handed over. */
  readonly rests_on: readonly string[]
}
/** `unclear`: something is called that cannot be read, and might be the Action. */
export type Workflows = { readonly known: readonly KnownWorkflow[]; readonly unclear: boolean }

export async function actionWorkflows({ octokit, place, reading }: Access, branch: string): Promise<Workflows> {
  const entries = await folderAt({ octokit }, place, '.github/workflows', branch)
  if (entries === null) return { known: [], unclear: false }
  const isNamedSo = (path: string): number => Number(/countersign/i.test(path))
  const all = entries.filter(({ path, type }) => type === 'file' && /\.ya?ml$/.test(path))
  const files = all
    .filter(({ size }) => size <= FILE_BYTES_MAX)
    .toSorted((one, other) => isNamedSo(other.path) - isNamedSo(one.path))
  const read: Read = async (where, path) => {
    const { ref, ...at } = where ?? { ...place, ref: branch }
    return (await orUnseen(fileAt({ octokit }, at, path, ref)))?.text ?? null
  }
  const looked = files.slice(0, FILES_MAX)
  const texts = await Promise.all(looked.map(async ({ path }) => ({ path, text: (await read(null, path)) ?? '' })))
  const found = await workflowsRunning(texts, place.owner, read, reading)
  return { ...found, unclear: found.unclear || looked.length < all.length }
}

export type WorkflowFile = { readonly path: string; readonly text: string }
/** A file elsewhere, or of the base itself where nothing says where; null where it is not to be had. */
export type Read = (where: (Place & { readonly ref: string }) | null, path: string) => Promise<string | null>

type Where = Parameters<Read>[0]
type Search = {
  readonly owner: string
  readonly read: Read
  readonly reading: Pick<Reading, 'jobs' | 'manifest'>
  unclear: boolean
}
type Found = Pick<KnownWorkflow, 'parts' | 'rests_on'>

export async function workflowsRunning(
  files: readonly WorkflowFile[],
  owner: string,
  read: Read,
  reading: Pick<Reading, 'jobs' | 'manifest'> = readHere,
): Promise<Workflows> {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  let [reads, looks] = [0, 0]
  const remembered: Read = async (where, path) => {
    looks += 1
    const known = where === null ? texts.get(path) : undefined
    reads += known === undefined ? 1 : 0
    return looks > LOOKS_MAX ? null : (known ?? (reads > READS_MAX ? null : read(where, path)))
  }
  const search: Search = { owner, read: remembered, reading, unclear: false }
  const known: KnownWorkflow[] = []
  for (const { path, text } of files) {
    const found = await inWorkflow(search, text, null, 0)
    const jobs = found === null ? [] : namesOf(found)
    if (found !== null && jobs?.length !== 0) known.push({ path, jobs, ...found })
  }
  return { known, unclear: search.unclear }
}

/** Null where one of those that run the Action cannot be named. */
function namesOf({ parts }: Found): readonly string[] | null {
  const names = parts.filter(({ action }) => action !== null).map(({ name }) => name)
  return names.every((name) => name !== null) ? names : null
}

/** Null where it cannot be read. */
async function inWorkflow(search: Search, text: string, where: Where, depth: number): Promise<Found | null> {
  const jobs = await search.reading.jobs(text)
  if (jobs === null) return unclear(search)
  const parts: WorkflowPart[] = []
  const rests_on: string[] = []
  for (const { name, calls, steps, certain } of jobs) {
    if (calls === null) {
      const { rests_on: rests, ...use } = await inSteps(search, steps, where, depth)
      parts.push({ name, action: use.checks.length === 0 ? null : { ...use, certain: use.certain && certain } })
      rests_on.push(...rests)
      continue
    }
    const called = await inCalled(search, calls, where, depth)
    parts.push(
      ...(called === null ? [{ name: null, action: null }] : called.parts.map((one) => within(name, one, certain))),
    )
    rests_on.push(...(called?.rests_on ?? []))
  }
  return { parts, rests_on }
}

/** A job of a workflow that is called, as it is called where that one is. */
const within = (name: string | null, { name: inner, action }: WorkflowPart, certain: boolean): WorkflowPart => ({
  name: name === null || inner === null ? null : `${name} / ${inner}`,
  action: action === null ? null : { ...action, certain: action.certain && certain },
})

const pinned = /^([^/@\s]+)\/([^/@\s]+)\/(\.github\/workflows\/[^/@\s]+\.ya?ml)@([0-9a-f]{40})$/

async function inCalled(search: Search, calls: string, where: Where, depth: number): Promise<Found | null> {
  const [, owner = '', repo = '', path = '', ref = ''] = pinned.exec(calls) ?? []
  const isLocal = calls.startsWith('./.github/workflows/')
  const text =
    depth < NESTED_MAX && (isLocal || ref !== '')
      ? await (isLocal ? search.read(where, calls.slice('./'.length)) : search.read({ owner, repo, ref }, path))
      : null
  if (text === null) return unclear(search)
  return inWorkflow(search, text, isLocal ? where : { owner, repo, ref }, depth + 1)
}

function unclear(search: Search): null {
  search.unclear = true
  return null
}

/** No `checks`: the Action is not used. */
type Used = ActionUse & { readonly rests_on: readonly string[] }
const unused: Used = { checks: [], certain: true, alone: false, rests_on: [] }
const usedBy = ({ with: inputs }: Step, rests_on: readonly string[] = []): Used => {
  const check = inputs?.check ?? ''
  return { checks: [check === '' ? null : check], certain: true, alone: true, rests_on }
}

async function inSteps(search: Search, steps: readonly Step[], where: Where, depth: number): Promise<Used> {
  let all: Used = { ...unused, alone: true }
  for (const [index, step] of steps.entries()) {
    const { uses = '' } = step
    const folder = folderOf(uses)
    const one = isOurs(uses, search.owner)
      ? usedBy(step)
      : folder === null
        ? { ...unused, alone: isCheckout(uses) }
        : await inFolder(search, { step, folder, before: steps.slice(0, index) }, where, depth)
    all = {
      checks: [...all.checks, ...one.checks],
      certain: all.certain && one.certain && (step.certain || one.checks.length === 0),
      alone: all.alone && one.alone,
      rests_on: [...all.rests_on, ...(one.checks.length === 0 ? [] : one.rests_on)],
    }
  }
  return all
}

type InFolder = { readonly step: Step; readonly folder: string; readonly before: readonly Step[] }

/** An action of the workspace, which holds the change unless another commit was put there. */
async function inFolder(
  search: Search,
  { step, folder, before }: InFolder,
  where: Where,
  depth: number,
): Promise<Used> {
  const placed = checkoutInto(folder, before)
  if (folder !== '' && placed) {
    if (placed.repository) {
      return isOurs(`${placed.repository}@${placed.ref ?? 'HEAD'}`, search.owner) ? usedBy(step) : unused
    }
    const own = isBaseRef(placed.ref) && where === null ? await manifestOf(search, '') : null
    return own !== null && isOwnManifest(own.manifest) ? usedBy(step) : (unclear(search) ?? unused)
  }
  // What a workflow of another repository finds there is not for the base to say.
  if (where !== null || depth >= NESTED_MAX) return unclear(search) ?? unused
  const own = await manifestOf(search, folder)
  if (own === null) return unclear(search) ?? unused
  const { manifest, path } = own
  if (isOwnManifest(manifest)) return usedBy(step, [path, under(folder, manifest.runs.main ?? '')])
  const inner = await inSteps(search, manifest.runs.steps ?? [], where, depth + 1)
  return { ...inner, rests_on: [path, ...inner.rests_on] }
}

const under = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`)

async function manifestOf(search: Search, folder: string) {
  for (const name of ['action.yml', 'action.yaml']) {
    const path = under(folder, name)
    const manifest = await search.reading.manifest((await search.read(null, path)) ?? '')
    if (manifest !== null) return { manifest, path }
  }
  return null
}
