// Invisible characters in what a change adds or a task says: those that have no use in source refer the change to a human,
// the rest is only named. Emoji, flags and the joiners that scripts need are left alone.
import { codePoint, emoji } from '../../core/visible.ts'

export type Hidden = { readonly place: string; readonly sign: string; readonly useless: boolean }

// prettier-ignore
const legitimate = [
  /\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu,
  ...emoji,
]
/** Overrides of direction, tags, joiners of nothing, fillers, and selectors that select nothing but carry a message. */
// prettier-ignore
const useless =
  /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\u2060-\u2064\u3164\u115f\u1160\uffa0\u180e\u2800]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/u
const inIdentifier =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_$][\u200b-\u200d\ufeff\u00ad]+[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_$]/u
/** What a name may end with and nobody sees makes another name of it: joiners of scripts, and marks that mark nothing here. */
const endingName =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_$](?=([\p{Join_Control}\p{Variation_Selector}]|\u034f|\u17b4|\u17b5))/u
const other = /(?![\t\n\r\f])[\p{Cc}\p{Cf}\p{Co}\p{Variation_Selector}\u034f]/u
const visibleOnly = /^[\t\n\r\u0020-\u007e]*$/

/** One entry for a line, the worse kind first. `first`: whether a byte order mark may stand here. */
export function hiddenIn(text: string, place: string, first = false): Hidden | null {
  if (visibleOnly.test(text)) return null
  const start = first ? text.replace(/^\ufeff/, '') : text
  const bare = legitimate.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), start)
  const bad = useless.exec(bare)?.[0] ?? inIdentifier.exec(bare)?.[0].slice(1) ?? endingName.exec(bare)?.[1]
  if (bad !== undefined) return { place, sign: codePoint(bad), useless: true }
  const found = other.exec(bare)?.[0]
  return found === undefined ? null : { place, sign: codePoint(found), useless: false }
}
