// Which keys of a type the shipped code reads, as the compiler understands it: `policy.budget.usd_per_task` reads that key
// whatever the names on the way are, and `other.usd_per_task` does not. Handing a part on to a type of one's own hides
// what becomes of it, so such a type must be made from the policy's.
import { isElementAccessExpression, isObjectBindingPattern, isPropertyAccessExpression } from 'typescript/unstable/ast'
import type { BindingElement, Node } from 'typescript/unstable/ast'
import { API, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync'

export type Start = { readonly file: string; readonly type: string }
/** Each key, dotted, with `[]` for entries of a list and `*` for those of a record, and the files that read it. */
export type Readers = ReadonlyMap<string, readonly string[]>

/** `config` is the TypeScript project, `files` who may be a reader. All paths are absolute. */
export function readersOf({ file, type }: Start, config: string, files: readonly string[]): Readers {
  const api = new API()
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`${config} is no project`)
    const leaves = leavesOf(typeNamed(project, file, type), project.checker)
    const readers = new Map([...leaves.values()].flat().map((key): [string, string[]] => [key, []]))
    for (const reader of files) {
      const read = new Set(symbolsRead(project, reader).flatMap(declarations))
      for (const [place, keys] of leaves) {
        if (read.has(place)) for (const key of keys) readers.get(key)?.push(reader)
      }
    }
    return readers
  } finally {
    api.close()
  }
}

function typeNamed({ program, checker }: Project, file: string, name: string): Type {
  const at = program.getSourceFile(file)?.text.indexOf(`export type ${name} `) ?? -1
  const symbol = at === -1 ? undefined : checker.getSymbolAtPosition(file, at + 'export type '.length)
  if (symbol === undefined) throw new Error(`${file} exports no type ${name}`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

/** The keys by the place where each is declared. Two keys may share one. */
function leavesOf(type: Type, checker: Checker): ReadonlyMap<string, readonly string[]> {
  const leaves = new Map<string, string[]>()
  const visit = (type: Type, key: string): boolean => {
    const whole = checker.getNonNullableType(type) ?? type
    if (!whole.isObjectType()) return false
    const mark = checker.isArrayLikeType(whole) ? '[]' : '.*'
    const entries = checker.getIndexInfosOfType(whole).map(({ valueType }) => visit(valueType, key + mark))
    if (checker.isArrayLikeType(whole)) return entries.includes(true)
    const properties = checker.getPropertiesOfType(whole)
    for (const property of properties) {
      const own = key === '' ? property.name : `${key}.${property.name}`
      const inner = checker.getTypeOfSymbol(property)
      if (inner !== undefined && visit(inner, own)) continue
      for (const place of declarations(property)) leaves.set(place, [...(leaves.get(place) ?? []), own])
    }
    return properties.length > 0 || entries.includes(true)
  }
  visit(type, '')
  return leaves
}

const declarations = (symbol: Symbol): string[] => symbol.declarations.map(({ path, index }) => `${path}#${index}`)

/** Members, what is taken apart, and members whose name is a value of a known type. */
function symbolsRead({ program, checker }: Project, file: string): Symbol[] {
  const members: Node[] = []
  const taken: { readonly from: Node; readonly names: readonly string[] }[] = []
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} is not part of the project`)
  const visit = (node: Node): undefined => {
    if (isPropertyAccessExpression(node)) members.push(node.name)
    if (isObjectBindingPattern(node)) taken.push({ from: node, names: node.elements.map(nameOf) })
    if (isElementAccessExpression(node)) {
      taken.push({ from: node.expression, names: textsOf(checker.getTypeAtLocation(node.argumentExpression)) })
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  const types = checker.getTypeAtLocation(taken.map(({ from }) => from))
  const fromTypes = taken.flatMap(({ names }, index) => {
    const type = types[index]
    return type === undefined ? [] : names.map((name) => checker.getPropertyOfType(type, name))
  })
  return [...checker.getSymbolAtLocation(members), ...fromTypes].filter((symbol) => symbol !== undefined)
}

const nameOf = ({ propertyName, name }: BindingElement): string => (propertyName ?? name)?.getText() ?? ''

function textsOf(type: Type | undefined): string[] {
  if (type?.isUnionType() === true) return (type.getTypes() ?? []).flatMap(textsOf)
  return type?.isStringLiteralType() === true ? [type.value] : []
}
