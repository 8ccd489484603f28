// What a TypeScript file imports and which globals it mentions, read from its syntax tree, so that comments, strings
// and line breaks can neither hide nor fake one. The parser is the one that runs the tests.
import { parseAst } from 'vitest/node'

export type Import = {
  readonly from: string
  /** `import type`: nothing is left of it at run time. */
  readonly typeOnly: boolean
  /** The imported names. `*` stands for a whole module, however it was asked for. */
  readonly names: readonly string[]
}
/** `Date.now` is the name `Date` with the member `now`; `new Date()` is the name alone. */
export type Mention = { readonly name: string; readonly member: string | null }
export type Syntax = { readonly imports: readonly Import[]; readonly mentions: readonly Mention[] }

type Node = { readonly [key: string]: unknown }

export function readSyntax(source: string): Syntax {
  const imports: Import[] = []
  const mentions: Mention[] = []
  const visit = (value: unknown, parent: Node, key: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent, key)
    if (!isNode(value)) return
    imports.push(...importsOf(value))
    if (value['type'] === 'Identifier') mentions.push(...mentionsOf(text(value['name']), parent, key))
    for (const [childKey, child] of Object.entries(value)) visit(child, value, childKey)
  }
  visit(parseAst(source, { lang: 'ts' }), {}, '')
  return { imports, mentions }
}

const importingTypes = /^(Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/

function importsOf(node: Node): Import[] {
  const source = node['source']
  if (!importingTypes.test(text(node['type'])) || !isNode(source)) return []
  const typeOnly = [node['importKind'], node['exportKind']].includes('type') || node['type'] === 'TSImportType'
  const names = 'specifiers' in node ? nodes(node['specifiers']).map(importedName) : ['*']
  // A specifier that is computed is reported as such: no floor may import it.
  const from = typeof source['value'] === 'string' ? source['value'] : '(computed)'
  return [{ from, typeOnly, names }]
}

function importedName(specifier: Node): string {
  const imported = specifier['type'] === 'ExportSpecifier' ? specifier['local'] : specifier['imported']
  return isNode(imported) ? memberName(imported) : '*'
}

function mentionsOf(name: string, parent: Node, key: string): Mention[] {
  if (isOnlyAName(parent, key)) return []
  const type = parent['type']
  if (type === 'MemberExpression' && key === 'object') return [{ name, member: memberName(parent['property']) }]
  const pattern = type === 'VariableDeclarator' && key === 'init' ? parent['id'] : null
  const taken = isNode(pattern) ? nodes(pattern['properties']) : []
  return taken.length === 0
    ? [{ name, member: null }]
    : taken.map((property) => ({ name, member: memberName(property['key']) }))
}

/** An identifier that names a member, a key, a type or an import refers to no global; `x as T` still refers to x. */
function isOnlyAName(parent: Node, key: string): boolean {
  const type = text(parent['type'])
  if (/^(Import|Export)\w*Specifier$/.test(type)) return true
  if (parent['computed'] === false && (key === 'property' || key === 'key')) return true
  return type.startsWith('TS') && !/^TS(As|Satisfies|NonNull|Instantiation)/.test(type)
}

function memberName(property: unknown): string {
  if (!isNode(property)) return '(rest)'
  return text(property['name']) || text(property['value']) || '(computed)'
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
