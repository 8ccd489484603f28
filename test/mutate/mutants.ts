// Small changes to a source file, each of which a test should notice. All of them are written into the text at once,
// behind a switch, so that one load of the code serves them all: `a < b` becomes `(__mutant(7) ? (a <= b) : (a < b))`.
import { parseAst } from 'vitest/node'

export type Mutant = {
  readonly id: number
  readonly line: number
  readonly column: number
  readonly was: string
  readonly becomes: string
}
export type Instrumented = { readonly text: string; readonly mutants: readonly Mutant[] }

type Node = { readonly [key: string]: unknown } & {
  readonly type: string
  readonly start: number
  readonly end: number
}
/** Another text for a stretch of the source. */
type Change = { readonly start: number; readonly end: number; readonly becomes: string }

/** `firstId`: the number of the first mutant; the others follow it. */
export function instrument(source: string, firstId: number): Instrumented {
  const changes: Change[] = []
  const statements = new Set<number>()
  visit(parseAst(source, { lang: 'ts' }), (node) => {
    changes.push(...changesOf(node, source))
    if (node.type === 'ExpressionStatement') statements.add(node.start)
  })
  const inOrder = changes.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const mutants = inOrder.map(({ start, end, becomes }, index): Mutant => {
    const before = source.slice(0, start).split('\n')
    const column = (before.at(-1) ?? '').length + 1
    return { id: firstId + index, line: before.length, column, was: source.slice(start, end), becomes }
  })
  const text = rendered(
    source,
    { start: 0, end: source.length },
    inOrder.map((change, index) => ({ ...change, id: firstId + index, opens: statements.has(change.start) })),
  )
  return { text, mutants }
}

/** `opens`: a statement begins with it. A parenthesis there would go on with the line before. */
type Numbered = Change & { readonly id: number; readonly opens: boolean }

/** Changes lie within each other or apart; those of one stretch are alternatives. */
function rendered(source: string, { start, end }: Pick<Change, 'start' | 'end'>, changes: readonly Numbered[]): string {
  let text = ''
  let at = start
  for (const [index, change] of changes.entries()) {
    if (change.start < at) continue
    const rest = changes.slice(index)
    const alternatives = rest.filter((other) => other.start === change.start && other.end === change.end)
    const inner = rest.filter((other) => other.end <= change.end && !alternatives.includes(other))
    const switched = alternatives.map(({ id, becomes }) => `__mutant(${id})?(${becomes}):`).join('')
    text += `${source.slice(at, change.start)}${change.opens ? 'void ' : ''}(${switched}(${rendered(source, change, inner)}))`
    at = change.end
  }
  return text + source.slice(at, end)
}

const swapped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}
/** A method in place of another, or null for leaving the call out. */
const otherMethod: Readonly<Record<string, string | null>> = {
  some: 'every',
  every: 'some',
  filter: null,
  slice: null,
  toSorted: null,
  min: 'max',
  max: 'min',
}

function changesOf(node: Node, source: string): Change[] {
  const text = (part: Node): string => source.slice(part.start, part.end)
  const to = (part: Node, becomes: string): Change => ({ start: part.start, end: part.end, becomes })
  const { test, left, right, operator, expression, argument } = node
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return isNode(test) ? [to(test, 'true'), to(test, 'false')] : []
    case 'WhileStatement':
    case 'ForStatement':
      return isNode(test) ? [to(test, 'false')] : []
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const other = typeof operator === 'string' ? swapped[operator] : undefined
      if (!isNode(left) || !isNode(right) || other === undefined) return []
      if (operator === '+' && (isText(left) || isText(right))) return []
      if (isNumber(node)) return []
      // Each side with the parentheses around it, which are not part of its node.
      const at = source.indexOf(String(operator), left.end)
      return [
        to(node, `${source.slice(node.start, at)}${other}${source.slice(at + String(operator).length, node.end)}`),
      ]
    }
    case 'UnaryExpression':
      return operator === '!' && isNode(argument) ? [to(node, text(argument))] : []
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [to(node, String(!node['value']))] : []
    case 'ExpressionStatement': {
      const call = isNode(expression) && expression.type === 'AwaitExpression' ? expression['argument'] : expression
      return isNode(call) && call.type === 'CallExpression'
        ? [to(isNode(expression) ? expression : call, 'void 0')]
        : []
    }
    case 'CallExpression':
      return callChanges(node, source)
    default:
      return []
  }
}

function callChanges(call: Node, source: string): Change[] {
  const { callee } = call
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['computed'] === true) return []
  const { object, property } = callee
  if (!isNode(object) || !isNode(property) || callee['optional'] === true) return []
  const name = source.slice(property.start, property.end)
  const other = Object.hasOwn(otherMethod, name) ? otherMethod[name] : undefined
  // `max` of a schema is another word than `Math.max`.
  const isNumbers = source.slice(object.start, object.end) === 'Math'
  if (other === undefined || ((name === 'min' || name === 'max') && !isNumbers)) return []
  const becomes =
    other === null
      ? source.slice(object.start, object.end)
      : source.slice(call.start, property.start) + other + source.slice(property.end, call.end)
  return [{ start: call.start, end: call.end, becomes }]
}

/** `8 * 1024` is one number, written to be read; numbers are left as they are. */
function isNumber({ type, value, left, right }: Node): boolean {
  if (type === 'Literal') return typeof value === 'number'
  return type === 'BinaryExpression' && isNode(left) && isNode(right) && isNumber(left) && isNumber(right)
}

/** `+` of texts is no arithmetic. */
const isText = ({ type, value }: Node): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

/** Types are no code. Of an optional chain only the arguments are seen: its links cannot be switched alone. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  if (!isNode(value)) return
  if (value.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(value.type)) return
  if (value.type === 'ChainExpression') return visitChain(value['expression'], see)
  if (value.type === 'TSSatisfiesExpression' && isSet(value['typeAnnotation'])) return
  see(value)
  for (const child of Object.values(value)) visit(child, see)
}

/** A table that `satisfies Record<…, true>`: only its keys are read, and the compiler refuses any other value. */
function isSet(type: unknown): boolean {
  const parameters = isNode(type) ? type['typeArguments'] : undefined
  const [, kept] = isNode(parameters) && Array.isArray(parameters['params']) ? parameters['params'] : []
  return isNode(kept) && isNode(kept['literal']) && kept['literal']['value'] === true
}

function visitChain(link: unknown, see: (node: Node) => void): void {
  if (!isNode(link)) return
  if (link.type === 'CallExpression') {
    visit(link['arguments'], see)
    visitChain(link['callee'], see)
  } else if (link.type === 'MemberExpression') {
    visitChain(link['object'], see)
    if (link['computed'] === true) visit(link['property'], see)
  } else visit(link, see)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value &&
  'end' in value
