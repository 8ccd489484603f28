// What GitHub lists is made from copies of what it knows, which follow a moment later: a list may be from before the webhook that
// led to it. What the webhook told is looked for there, so that a check that has failed since does not pass for one that passed.
import type { ToldResult } from '../../../core/news.ts'
import { NotShownYet } from '../../../ports.ts'

/** Throws where something that was told and `matters` is not in the list, and nothing newer of its name is. */
export function expectTold(
  told: readonly ToldResult[],
  matters: (one: ToldResult) => boolean,
  listed: readonly ToldResult[],
): void {
  for (const one of told.filter(matters)) {
    const own = listed.find(({ id }) => id === one.id)
    const isThere =
      own === undefined ? listed.some(({ id, name }) => name === one.name && id > one.id) : !isOlder(own, one)
    if (!isThere) throw new NotShownYet(`GitHub does not list yet what it told of ${one.kind} ${one.id}`)
  }
}

/** Of one and the same, which may have ended more than once. */
const isOlder = (listed: ToldResult, told: ToldResult): boolean =>
  listed.at === told.at ? listed.conclusion !== told.conclusion : listed.at < told.at
