// `node test/openapi/cut.ts <api.github.com.json>`: of GitHub's published description of its REST interface what the tests ask
// for, which is a hundredth of it: the operations that the GitHub of the tests answers, with every schema that they name and
// without the prose. The whole is in the package `@octokit/openapi`, which takes 400 MB, and at
// https://github.com/github/rest-api-description
import { readFileSync, writeFileSync } from 'node:fs'
import { allRoutes } from '../github/routes/all.ts'
import { makeOutbox } from '../github/wire/outbox.ts'
import { isFields, type Fields } from '../github/fields.ts'
import { descriptionFile } from './description-file.ts'

const [from] = process.argv.slice(2)
if (from === undefined) {
  console.error('cut: name the file api.github.com.json of the package @octokit/openapi')
  process.exit(2)
}
const whole: unknown = JSON.parse(readFileSync(from, 'utf8'))
if (!isFields(whole) || !isFields(whole['paths'])) throw new Error(`${from} is no description of a REST interface`)

/** What varies in a path has other names there. */
const nameless = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}') || '/'
const answered = allRoutes(makeOutbox(String, () => 1)).map(({ method, path }) => `${method} ${nameless(path)}`)
const kept: Record<string, Fields> = {}
const missing = new Set(answered)
for (const [path, item] of Object.entries(whole['paths'])) {
  if (!isFields(item)) continue
  const nameOf = (method: string): string => `${method.toUpperCase()} ${nameless(path)}`
  const operations = Object.entries(item).filter(([method]) => answered.includes(nameOf(method)))
  for (const [method] of operations) missing.delete(nameOf(method))
  const common = Object.entries(item).filter(([key]) => key === 'parameters')
  if (operations.length > 0) kept[path] = Object.fromEntries([...common, ...operations])
}

const prose: ReadonlySet<string> = new Set(['description', 'summary', 'title', 'operationDescription'])
const unread: ReadonlySet<string> = new Set(['example', 'examples', 'externalDocs', 'tags', 'x-github', 'callbacks'])
/** Holds things by name, so that its keys are no keywords. */
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'responses', 'content', 'headers'])

function trimmed(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => trimmed(one))
  if (!isFields(value)) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => areNames || !(unread.has(key) || (prose.has(key) && typeof inner === 'string')),
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key === 'enum' ? inner : trimmed(inner, !areNames && byName.has(key))]),
  )
}

const components: Record<string, Record<string, unknown>> = {}
function follow(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(follow)
  if (!isFields(value)) return
  const { $ref: ref } = value
  if (typeof ref === 'string') include(ref)
  Object.values(value).forEach(follow)
}
function include(ref: string): void {
  const [, , kind = '', name = ''] = ref.split('/')
  if (components[kind]?.[name] !== undefined) return
  const all = isFields(whole) && isFields(whole['components']) ? whole['components'][kind] : undefined
  const found = isFields(all) ? trimmed(all[name]) : undefined
  if (found === undefined) throw new Error(`${ref} is not in the description`)
  components[kind] = { ...components[kind], [name]: found }
  follow(found)
}

const paths = trimmed(kept, true)
follow(paths)
const { info } = whole
const version = isFields(info) ? info['version'] : undefined
writeFileSync(
  descriptionFile,
  `${JSON.stringify({ openapi: whole['openapi'], info: { version }, paths, components }, null, 1)}\n`,
)
console.log(`${Object.keys(kept).length} paths, ${Object.values(components).flatMap(Object.keys).length} components`)
for (const one of missing) console.log(`GitHub describes no ${one}`)
