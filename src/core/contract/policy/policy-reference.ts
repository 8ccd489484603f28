// The policy as a page for people, made from its JSON Schema: one line a key, with what it takes, what it is when nobody sets
// it, and what it is for. Keys that nothing reads yet stand in a list of their own.
import { notAvailable } from './not-available.ts'
import { builtInPolicy } from './policy.ts'
import { policyJsonSchema, type JsonSchema } from './json-schema.ts'

type Key = {
  readonly path: string
  readonly takes: string
  readonly usual: string
  readonly meaning: string
}

export function policyReference(): string {
  const sections = Object.entries(policyJsonSchema().properties ?? {}).flatMap(([name, schema]) =>
    typeof schema === 'object' ? [{ name, keys: keysOf(schema, name) }] : [],
  )
  const [alone, grouped] = [sections.filter(isAlone), sections.filter((one) => !isAlone(one))]
  const rows = (keys: readonly Key[]): string[] => keys.filter(isRead).map(rowOf)
  const tables = grouped
    .filter(({ keys }) => keys.some(isRead))
    .map(({ name, keys: [top, ...rest] }) => `## ${name}\n\n${top?.meaning ?? ''}\n\n${tableOf(rows(rest))}`)
  const unread = Object.entries(notAvailable).map(([path, why]) => `- \`${path}\`: ${why}`)
  return [
    '# Policy reference',
    'Every key of `.github/countersign.yml`. All are optional; an unknown key, a wrong type and a key of the last list are errors, ' +
      'shown with file and line. This page is made from the schema by `npm run schema`; [Write a policy](policy.md) tells what the keys are for together.',
    tableOf(rows(alone.flatMap(({ keys }) => keys))),
    ...tables,
    '## Not available yet',
    'Refused when they are set to anything else than what they are by themselves.',
    unread.join('\n'),
    '',
  ].join('\n\n').trimEnd() + '\n' // prettier-ignore
}

const isAlone = ({ keys }: { readonly keys: readonly Key[] }): boolean => keys.length === 1

const isRead = ({ path }: Key): boolean => {
  const unread = Object.keys(notAvailable)
  return !unread.some((one) => path === one || path.startsWith(`${one}.`)) && !unread.includes(path)
}

const rowOf = ({ path, takes, usual, meaning }: Key): string => `| \`${path}\` | ${takes} | ${usual} | ${meaning} |`
const tableOf = (rows: readonly string[]): string =>
  ['| key | takes | default | meaning |', '|---|---|---|---|', ...rows].join('\n')

/** A key, and below it those of the table that it takes, or of the tables in its list. */
function keysOf(schema: JsonSchema, path: string): readonly Key[] {
  const inner = tableIn(schema)
  const own: Key = {
    path,
    takes: takesOf(schema),
    usual: usualOf(schema, path),
    meaning: cell(schema.description ?? ''),
  }
  const below = Object.entries(inner?.schema.properties ?? {}).flatMap(([name, one]) =>
    typeof one === 'object' ? keysOf(one, `${path}${inner?.by ?? ''}.${name}`) : [],
  )
  // A table of keys that nothing reads is none.
  return below.length > 0 && !below.some(isRead) ? below : [own, ...below]
}

function tableIn(schema: JsonSchema): { readonly schema: JsonSchema; readonly by: string } | null {
  if (schema.properties !== undefined) return { schema, by: '' }
  const { items, additionalProperties: values } = schema
  if (typeof items === 'object' && !Array.isArray(items)) {
    const found = [items, ...(items.anyOf ?? [])].find((one) => typeof one === 'object' && one.properties !== undefined)
    return typeof found === 'object' ? { schema: found, by: '[]' } : null
  }
  return typeof values === 'object' && values.properties !== undefined ? { schema: values, by: '.<name>' } : null
}

function takesOf(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return 'anything'
  const { type, minimum, maximum, items } = schema
  if (schema.const !== undefined) return valueOf(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(valueOf).join(', ')
  if (isDuration(schema)) return 'seconds, or text such as `10m`'
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(takesOf))].join(' or ')
  if (Array.isArray(type)) return type.map(wordOf).join(' or ')
  if (type === 'array')
    return typeof items === 'object' && !Array.isArray(items) ? `list of: ${takesOf(items)}` : 'list'
  const range = minimum !== undefined && maximum !== undefined && maximum < BOUND_SAID_MAX
  return range ? `${wordOf(type)} from ${minimum} to ${maximum}` : wordOf(type)
}

const isDuration = ({ anyOf = [] }: JsonSchema): boolean =>
  anyOf.some((one) => typeof one === 'object' && one.pattern === DURATION)
const DURATION = String.raw`^(\d{1,6})(s|m|h|d)$`
/** Beyond that a bound only keeps numbers finite. */
const BOUND_SAID_MAX = 1_000_000

const words: Readonly<Record<string, string>> = {
  string: 'text', object: 'table', integer: 'whole number', number: 'number', boolean: 'true or false', null: '`null`',
} // prettier-ignore
const wordOf = (type: string | undefined): string => words[type ?? ''] ?? 'anything'

function usualOf(schema: JsonSchema, path: string): string {
  const { default: usual } = schema
  if (isDuration(schema)) return durationOf(path.split('.').reduce(within, builtInPolicy))
  const isEmpty = typeof usual === 'object' && usual !== null && Object.keys(usual).length === 0
  return usual === undefined || isEmpty ? '' : valueOf(usual)
}

const within = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Read as seconds, whatever it was written as. */
function durationOf(seconds: unknown): string {
  if (typeof seconds !== 'number') return ''
  const [size, sign] = units.find(([one]) => seconds % one === 0) ?? [1, 's']
  return `\`${seconds / size}${sign}\``
}
const units = [[86_400, 'd'], [3_600, 'h'], [60, 'm']] as const // prettier-ignore

const valueOf = (value: unknown): string =>
  value === '' ? '' : `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``

/** A bar ends a cell, also within code. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
