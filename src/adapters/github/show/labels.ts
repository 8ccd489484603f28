// Labels of state, added and removed and never replaced. A repository gets all of ours at once, with colours and
// descriptions, so that people find those that they set. https://docs.github.com/en/rest/issues/labels
import { z } from 'zod'
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { isStateLabel, ourLabels } from '../../../core/words/labels.ts'
import type { Access } from '../access.ts'
import { isForGood } from './courtesy.ts'
import type { FoundPlaces } from './found.ts'
import { labelNamed, type NodeIds } from './node-ids.ts'
import { orMissing } from '../status.ts'
import { changeTogether, type Wish } from './together.ts'

export type Labels = Extract<Shown, { kind: 'labels' }>
export type LabelParts = {
  readonly found: FoundPlaces
  readonly ids: NodeIds
  /** Makes those that the repository lacks. */
  readonly define: () => Promise<void>
}

export function labelsWish({ pull, labels }: Labels, ref: string): Wish {
  const { missing, surplus } = differenceOf(labels, labelsIn(ref))
  const changes = [
    { name: 'added', mutation: 'addLabelsToLabelable', labels: missing },
    { name: 'removed', mutation: 'removeLabelsFromLabelable', labels: surplus },
  ].filter((change) => change.labels.length > 0)
  return {
    requests: Math.min(missing.length, 1) + surplus.length,
    needs: [`pull ${pull}`, ...[...missing, ...surplus].map(labelNamed)],
    parts: (id) =>
      changes.map((change) => ({
        name: change.name,
        field: `${change.mutation}(input: { labelableId: $pull, labelIds: $${change.name} }) { labelable { __typename } }`,
        variables: {
          pull: { type: 'ID!', value: id(`pull ${pull}`) },
          [change.name]: { type: '[ID!]!', value: change.labels.map((name) => id(labelNamed(name))) },
        },
      })),
  }
}

/** GitHub tells labels apart without regard to case, and keeps the case in which somebody made one first. */
function differenceOf(wanted: readonly string[], present: readonly string[]) {
  const without = (some: readonly string[], others: readonly string[]): string[] =>
    some.filter((label) => !others.some((other) => other.toLowerCase() === label.toLowerCase()))
  return { missing: without(wanted, present), surplus: without(present, wanted) }
}

/** The place of labels is which of them are ours. */
export const labelsRef = ({ labels }: Labels): string => refOf(labels)
export const refOf = (labels: readonly string[]): string => labels.join(',')
const labelsIn = (ref: string): readonly string[] => ref.split(',').filter((label) => label !== '')

export async function showLabels(
  access: Access,
  { found, ids, define }: LabelParts,
  shown: Labels,
  ref: string | null,
): Promise<void> {
  const { octokit, place } = access
  const { pull: issue_number, labels } = shown
  if (ref === null) await define()
  const present = ref === null ? await ownLabels(access, issue_number, found) : labelsIn(ref)
  const { missing, surplus } = differenceOf(labels, present)
  const changes = [
    ...(await added(access, issue_number, missing, ids)),
    ...(await eachOf(surplus, (name) => orMissing(octokit.rest.issues.removeLabel({ ...place, issue_number, name })))),
  ]
  const refusal = changes.find((change) => change.status === 'rejected')
  if (refusal !== undefined) throw refusal.reason
}

/** Together, or each for itself where one of them is refused: the others are shown all the same. */
async function added(
  { octokit, place }: Access,
  issue_number: number,
  missing: readonly string[],
  ids: NodeIds,
): Promise<PromiseSettledResult<unknown>[]> {
  const add = async (labels: string[]): Promise<void> => {
    const { data } = await octokit.rest.issues.addLabels({ ...place, issue_number, labels })
    for (const { name, node_id } of set.parse(data)) ids.learn(labelNamed(name), node_id)
  }
  if (missing.length === 0) return []
  const [together] = await eachOf([[...missing]], add)
  if (together === undefined || together.status === 'fulfilled') return []
  if (missing.length === 1 || !isForGood(together.reason)) return [together]
  return eachOf(missing, (name) => add([name]))
}

async function eachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  const done: PromiseSettledResult<unknown>[] = []
  for (const item of items) done.push(...(await Promise.allSettled([work(item)])))
  return done
}

const ownLabels = async (access: Access, pull: number, found: FoundPlaces): Promise<readonly string[]> =>
  found.takeLabels(pull)?.filter(isStateLabel) ?? labelsNow(access, pull)

/** Ours that it bears. */
export async function labelsNow({ octokit, place }: Access, pull: number): Promise<readonly string[]> {
  const { data } = await octokit.rest.issues.listLabelsOnIssue({ ...place, issue_number: pull, per_page: 100 })
  return data.map(({ name }) => name).filter(isStateLabel)
}

const set = z.array(z.object({ name: z.string(), node_id: z.string().optional() })).catch([])

/** Those of ours that a repository lacks, where it is known which it has. */
export async function defineLabels({ octokit }: Access, ids: NodeIds): Promise<void> {
  const repository = ids.get('repository')
  const missing = ourLabels.filter(({ name }) => ids.get(labelNamed(name)) === undefined)
  if (repository === undefined || missing.length === 0) return
  const answers = await changeTogether(
    octokit,
    missing.map((label, index) => ({
      name: `label${index}`,
      field: `createLabel(input: $label${index}) { label { id name } }`,
      variables: {
        [`label${index}`]: { type: 'CreateLabelInput!', value: { repositoryId: repository, ...label } },
      },
    })),
  )
  for (const answer of answers.values()) {
    const { data: made } = defined.safeParse(answer)
    if (made !== undefined) ids.learn(labelNamed(made.label.name), made.label.id)
  }
}

const defined = z.object({ label: z.object({ id: z.string(), name: z.string() }) })
