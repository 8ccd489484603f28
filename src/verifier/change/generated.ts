// A generated file in counts and names: how many lines came and went, and which definitions with them. Its text is not shown, and
// names prove nothing; they tell a reader of the source whether what was generated has grown by something else.
import { definedBy } from '../context/definitions.ts'
import { hunksOf, isChanged, type FileChange } from './change.ts'

const NAMES_MAX = 20

export function generatedDigest({ patch, additions, deletions }: FileChange): string {
  const counts = `${additions} added, ${deletions} removed`
  if (patch === null) return counts
  const changed = hunksOf(patch).flatMap(({ lines }) => lines.filter(isChanged))
  const namesOf = (side: '+' | '-'): ReadonlySet<string> =>
    new Set(changed.flatMap(({ sign, text }) => (sign === side ? (definedBy(text) ?? []) : [])))
  const [now, old] = [namesOf('+'), namesOf('-')]
  return [counts, listed('new', now, old), listed('gone', old, now)].filter((part) => part !== '').join('; ')
}

function listed(what: string, these: ReadonlySet<string>, notThose: ReadonlySet<string>): string {
  const names = [...these].filter((name) => !notThose.has(name))
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
  return names.length === 0 ? '' : `${what}: ${names.slice(0, NAMES_MAX).join(', ')}${more}`
}
