// The page of a pull request: our comment and our labels. What changes there at the same time is one request where GraphQL
// takes it, and one after the other over REST where it does not. Labels are added and removed, never replaced: one that
// somebody sets in between may be a rejection. https://docs.github.com/en/rest/issues/labels
import { setImmediate } from 'node:timers/promises'
import { isStateLabel } from '../../../core/words/labels.ts'
import type { Access } from '../access.ts'
import { RateLimited } from '../traffic/pacing.ts'
import { labelsNow, labelsRef, labelsWish, refOf, showLabels, type LabelParts, type Labels } from './labels.ts'
import { learnPage } from './node-ids.ts'
import { showSticky, stickyWish, type Sticky, type StickyParts } from './sticky.ts'
import type { Switch } from '../switch.ts'
import { changeTogether, type Wish } from './together.ts'

export type Page = {
  /** Shows either at its pull request; `ref` is where it was shown last. */
  readonly show: (shown: Sticky | Labels, ref: string | null) => Promise<{ readonly ref: string }>
  /** Somebody reads its labels with something else; unless they are changed meanwhile they are known then. */
  readonly reading: <T extends { readonly labels: readonly string[] } | null>(
    pull: number,
    read: () => Promise<T>,
  ) => Promise<T>
}

/** What is known without asking, and whether GraphQL is there to change anything. */
export type PageParts = StickyParts & LabelParts & { readonly graphql: Switch }

type Gathering = { readonly wishes: Wish[]; readonly done: Promise<ReadonlySet<Wish>> }

const SURE_MAX = 10_000
const nothing = (): void => undefined

export function pageOf(access: Access, parts: PageParts): Page {
  const gatherings = new Map<number, Gathering>()
  const looks = new Map<number, Promise<readonly string[]>>()
  /**
   * By pull request, where its labels were when this process read them last, or wrote them and was answered. A write that was cut
   * off may have been taken, and one of a process that died, too: what is there is looked at before it is changed.
   */
  const sure = new Map<number, string>()
  /** Waits for what else is to change on this page, and says whether this went out with it. */
  const together = async (pull: number, wish: Wish): Promise<boolean> => {
    const open = gatherings.get(pull)
    open?.wishes.push(wish)
    if (open !== undefined) return (await open.done).has(wish)
    const wishes = [wish]
    const done = setImmediate().then(async () => {
      // Whoever looks at its labels will change them next.
      const looking = looks.get(pull)
      if (looking !== undefined) await looking.then(() => setImmediate(), nothing)
      gatherings.delete(pull)
      return grant(access, parts, pull, wishes)
    })
    gatherings.set(pull, { wishes, done })
    return (await done).has(wish)
  }
  const look = async (pull: number): Promise<readonly string[]> => {
    const looking = parts.graphql.isOff() ? labelsNow(access, pull) : learned(access, parts, pull)
    looks.set(pull, looking)
    return looking.finally(() => looks.delete(pull))
  }
  /** How many changes of its labels began and ended. */
  const turns = new Map<number, number>()
  const turn = (pull: number): void => {
    sure.delete(pull)
    if (turns.size >= SURE_MAX) turns.clear()
    turns.set(pull, (turns.get(pull) ?? 0) + 1)
  }
  const areAt = (pull: number, ref: string): void => {
    if (sure.size >= SURE_MAX) sure.clear()
    sure.set(pull, ref)
  }
  const show: Page['show'] = async (shown, ref) => {
    if (shown.kind === 'labels') {
      const isSure = ref === null || sure.get(shown.pull) === ref
      const known = isSure ? ref : refOf(await look(shown.pull))
      turn(shown.pull)
      try {
        const isDone = known !== null && (await together(shown.pull, labelsWish(shown, known)))
        if (!isDone) await showLabels(access, parts, shown, known)
      } finally {
        turn(shown.pull)
      }
      areAt(shown.pull, labelsRef(shown))
      return { ref: labelsRef(shown) }
    }
    const isDone = ref !== null && (await together(shown.pull, stickyWish(shown, ref)))
    return isDone ? { ref } : showSticky(access, parts, shown, ref)
  }
  return {
    show,
    reading: async (pull, read) => {
      const before = turns.get(pull)
      const found = await read()
      if (found !== null && turns.get(pull) === before) areAt(pull, refOf(found.labels.filter(isStateLabel)))
      return found
    },
  }
}

/** Our labels that it bears, from the question that also tells how to change its page in one request. */
async function learned(access: Access, { ids, graphql }: PageParts, pull: number): Promise<readonly string[]> {
  const labels = await tried(graphql, learnPage(ids, access, pull))
  return labels === null ? labelsNow(access, pull) : labels.filter(isStateLabel)
}

/** Those that one request did. */
async function grant(
  access: Access,
  { ids, graphql }: PageParts,
  pull: number,
  wishes: readonly Wish[],
): Promise<ReadonlySet<Wish>> {
  const requests = wishes.reduce((sum, wish) => sum + wish.requests, 0)
  if (requests < 2 || graphql.isOff()) return new Set()
  const isKnown = ({ needs }: Wish): boolean => needs.every((thing) => ids.get(thing) !== undefined)
  if (!wishes.every(isKnown)) await tried(graphql, learnPage(ids, access, pull))
  const able = wishes.filter(isKnown).map((wish) => ({ wish, parts: wish.parts((thing) => ids.get(thing) ?? '') }))
  const parts = able.flatMap((one) => one.parts)
  if (parts.length === 0) return new Set()
  // Whatever becomes of it, each of these changes may be made a second time.
  const answers = await tried(graphql, changeTogether(access.octokit, parts))
  if (answers === null) return new Set()
  if (answers.size === 0) graphql.switchOff()
  return new Set(able.filter((one) => one.parts.every(({ name }) => answers.has(name))).map(({ wish }) => wish))
}

/** Null where it failed. Whoever only asked for patience is asked again next time. */
async function tried<T>(graphql: Switch, work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RateLimited)) graphql.switchOff()
    return null
  }
}
