// The floors of the house as data: who may import whom, which packages the pure floor may use, and which globals it
// may not. One function judges one file, so that the rules can be shown to bite on files that were made up.
import { posix } from 'node:path'
import { readSyntax, type Import, type Mention } from './syntax.ts'

type Room = 'core' | 'verifier' | 'ports' | 'engine' | 'checks' | 'adapters' | 'entry' | 'action'

const mayImport = {
  core: ['core'],
  verifier: ['core', 'verifier'],
  ports: ['core', 'verifier'],
  engine: ['core', 'verifier', 'ports', 'engine'],
  checks: ['core', 'ports', 'checks'],
  adapters: ['core', 'verifier', 'ports', 'adapters'],
  entry: ['core', 'verifier', 'ports', 'engine', 'checks', 'adapters', 'entry'],
  action: ['core', 'verifier', 'ports', 'engine', 'checks', 'adapters', 'action'],
} as const satisfies Record<Room, readonly Room[]>

const purePackages = ['zod', 'yaml', 're2js', 'mdast-util-from-markdown', 'smol-toml']
const typePackages = [...purePackages, 'mdast']

const always = (): boolean => true
/** Globals that bring in a clock, chance or the outside world. `Date.parse` and `Date.UTC` only compute. */
const impure = new Map<string, (member: string | null) => boolean>([
  ['Date', (member) => member !== 'parse' && member !== 'UTC'],
  ['Math', (member) => member === 'random'],
  ['console', always],
  ['crypto', always],
  ['fetch', always],
  ['globalThis', always],
  ['performance', always],
  ['process', always],
  ['randomUUID', always],
  ['setImmediate', always],
  ['setInterval', always],
  ['setTimeout', always],
])

const environmentReaders = ['src/entry/environment.ts', 'action/environment.ts']

/** One sentence per broken rule: the file, what it does, and the rule. */
export function floorProblems(path: string, source: string): readonly string[] {
  const room = roomOf(path)
  if (room === null) return [`${path} is on no floor; ARCHITECTURE.md lists the folders that are`]
  const { imports, mentions } = readSyntax(source)
  return [
    ...imports.flatMap((one) => importProblems(path, room, one)),
    ...(isPure(room) ? mentions.flatMap((one) => purityProblems(path, one)) : []),
    ...(environmentReaders.includes(path) ? [] : environmentProblems(path, imports, mentions)),
  ]
}

function roomOf(path: string): Room | null {
  if (path === 'src/ports.ts') return 'ports'
  const [top = '', folder = ''] = path.split('/')
  if (top === 'action') return 'action'
  const rooms = ['core', 'verifier', 'engine', 'checks', 'adapters', 'entry'] as const
  return top === 'src' ? (rooms.find((room) => room === folder) ?? null) : null
}

const isPure = (room: Room): boolean => room === 'core' || room === 'verifier'

function importProblems(path: string, room: Room, one: Import): readonly string[] {
  const broken = (rule: string): string[] => [`${path} imports ${one.from}: ${rule}`]
  if (one.from === '(computed)')
    return broken('write the module as plain text, so that a reader and this test can see it')
  if (!one.from.startsWith('.')) return packageProblems(room, one).flatMap(broken)
  const target = posix.join(posix.dirname(path), one.from)
  if (target.startsWith('test/')) return broken('nothing that ships imports a test')
  const targetRoom = roomOf(target)
  const allowed: readonly Room[] = mayImport[room]
  if (targetRoom === null) return broken('that is on no floor')
  if (!allowed.includes(targetRoom)) return broken(`${room} may import only ${allowed.join(', ')}`)
  if (room === 'ports' && !one.typeOnly) return broken('ports imports only types, with `import type`')
  if (room === 'adapters' && targetRoom === 'adapters' && ![worldOf(path), noWorld].includes(worldOf(target))) {
    return broken('an adapter knows one outside world and never another adapter')
  }
  return []
}

/** How adapters ask, whatever they ask: it knows none of their worlds, and may import no adapter. */
const noWorld = 'together'
/** The folder or file right under src/adapters: one adapter. */
const worldOf = (path: string): string => (path.split('/')[2] ?? '').replace(/\.ts$/, '')

function packageProblems(room: Room, one: Import): readonly string[] {
  if (room === 'ports') return ['ports imports only types of the pure floor']
  if (!isPure(room)) return []
  if (one.from === 'node:crypto') {
    const hashOnly = one.names.length > 0 && one.names.every((name) => name === 'createHash')
    return hashOnly ? [] : ['the pure floor takes only createHash from node:crypto']
  }
  const allowed = one.typeOnly ? typePackages : purePackages
  return allowed.includes(one.from) ? [] : [`the pure floor imports only ${allowed.join(', ')}`]
}

function purityProblems(path: string, { name, member }: Mention): readonly string[] {
  const mentioned = member === null ? name : `${name}.${member}`
  const forbidden = impure.get(name)?.(member) === true
  return forbidden ? [`${path} uses ${mentioned}: the pure floor has no clock, no chance and no outside world`] : []
}

function environmentProblems(
  path: string,
  imports: readonly Import[],
  mentions: readonly Mention[],
): readonly string[] {
  const rule = `only ${environmentReaders.join(' and ')} read the environment`
  const imported = imports.some(
    ({ from, names }) => /^(node:)?process$/.test(from) && names.some((name) => name === 'env' || name === '*'),
  )
  const read = mentions.some(
    ({ name, member }) =>
      (name === 'process' && (member === 'env' || member === null)) || (name === 'globalThis' && member === 'process'),
  )
  return [
    ...(imported ? [`${path} imports the environment from node:process: ${rule}`] : []),
    ...(read ? [`${path} reads process.env: ${rule}`] : []),
  ]
}
