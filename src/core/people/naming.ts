// Who may do something, in words: by name where a few are known, and else by what it takes. Nobody is called by it.
import { atLeast, type Permission } from './permission.ts'
import { mayBeSame, type Builder, type Census } from './people.ts'
import { holders } from './separation.ts'

const SHOWN_MAX = 3
const inOrder = ['write', 'maintain', 'admin'] as const

/** `makers`: whoever made a part of it may not, or null where they may as well. */
export function whoMay(census: Census, needs: Permission, makers: readonly Builder[] | null): string {
  const outside = makers === null ? '' : ' who is not a builder'
  const somebody = `somebody with ${needs} permission${outside}`
  const left = (makers ?? []).filter(({ kind, permission }) => kind === 'human' && atLeast(permission, needs))
  const named = inOrder
    .filter((permission) => atLeast(permission, needs))
    .flatMap((permission) => census.named?.[permission] ?? [])
    .filter((account) => !left.some((maker) => mayBeSame(maker, account)))
    .map(({ login }) => login)
  const shown = named.slice(0, SHOWN_MAX)
  if (shown.length === 0) return somebody
  const others = !census.complete || holders(census, needs) - left.length > shown.length
  const last = others ? somebody.replace('somebody', 'somebody else') : shown.at(-1)
  const first = others ? shown : shown.slice(0, -1)
  return first.length === 0 ? `${last}` : `${first.join(', ')} or ${last}`
}
