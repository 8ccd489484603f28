// The path patterns of a policy or of a task's block: how many of them there may be, and which of them can match no path. Such a one
// would leave a check out, or a path unguarded, without a word. Rules read raw values, as in `policy-rules.ts`.
import { dig, type RuleBroken } from './rule-broken.ts'

type Path = RuleBroken['path']
type Patterns = { readonly path: Path; readonly list: readonly unknown[] }

/** Every path of a change is held against all of them: so many characters take a second for the longest lists of files. */
export const PATTERN_CHARACTERS_MAX = 20_000

/** What is asked about the paths that changed. `expected_outputs` is about those that are there, folders among them. */
const lists: readonly (readonly string[])[] = [
  ['scope', 'write'],
  ['scope', 'deny'],
  ['protected_paths'],
  ['verification', 'verifier', 'hidden_text_allowed'],
  ['verification', 'verifier', 'unseen_ok'],
  ['verification', 'tier1', 'ignore'],
  ['verification', 'tier1', 'allow_empty'],
  ['verification', 'tier1', 'secrets_allowed'],
]
/** Whatever has `paths` of its own applies where one of these changed. */
const applying: readonly (readonly string[])[] = [
  ['verification', 'checks'],
  ['review', 'stages'],
  ['security', 'red_team'],
]

/** Each pattern and each list has a limit of its own; together they have this one. */
export function patternRules(policy: unknown): RuleBroken[] {
  const characters = [...named(policy), ...pathsOf(policy)]
    .flatMap(({ list }) => list)
    .reduce<number>((sum, pattern) => sum + (typeof pattern === 'string' ? pattern.length : 0), 0)
  if (characters <= PATTERN_CHARACTERS_MAX) return []
  const message = `and all other path patterns have ${characters} characters together; ${PATTERN_CHARACTERS_MAX} are the most`
  return [{ path: ['scope'], message, nearest: null }]
}

/** Only of what was written: no default is idle. */
export function idlePatterns(written: unknown): RuleBroken[] {
  const paths = pathsOf(written)
  const never = paths
    .filter(({ list }) => list.length === 0)
    .map(({ path }) => ({ path, message: 'names no path, so this would never apply: leave it out', nearest: null }))
  const idle = [...named(written), ...paths].flatMap(({ path, list }) =>
    list.flatMap((pattern, index) => {
      const why = typeof pattern === 'string' ? whyIdle(pattern) : null
      return why === null ? [] : [{ path: [...path, index], message: `(\`${String(pattern)}\`) ${why}`, nearest: null }]
    }),
  )
  return [...never, ...idle]
}

/** In words, or null for one that some path may match. Paths are those of git: `src/a.ts`, from the root. */
function whyIdle(pattern: string): string | null {
  const path = pattern.replace(/^\.\//, '')
  if (path.startsWith('!')) return 'begins with `!`, which takes nothing out here: name what is meant'
  if (path.startsWith('/')) return 'begins with a slash, and no path does'
  if (path.endsWith('/')) return `ends with a slash, and no path does: \`${path}**\` is what lies in a folder`
  return path.split('/').some((step) => ['', '.', '..'].includes(step))
    ? 'holds `//`, `.` or `..` as a step, and no path does'
    : null
}

const named = (policy: unknown): Patterns[] => lists.flatMap((path) => patternsAt(path, dig(policy, ...path)))

function pathsOf(policy: unknown): Patterns[] {
  return applying.flatMap((path) => {
    const found = dig(policy, ...path)
    return Array.isArray(found)
      ? found.flatMap((one: unknown, index) => patternsAt([...path, index, 'paths'], dig(one, 'paths')))
      : patternsAt([...path, 'paths'], dig(found, 'paths'))
  })
}

const patternsAt = (path: Path, list: unknown): Patterns[] => (Array.isArray(list) ? [{ path, list }] : [])
