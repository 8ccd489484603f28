// What the schema objects to, in plain sentences that name the key, what was written, and what may be written instead.
import type { z } from 'zod'
import type { KnownKeys } from './known-keys.ts'
import { choice, dotted, lastKey, nearestWord, quoted, type Flaw } from '../problem.ts'
import { entryAt, locate, type Located, type MapTree, type Path, type Tree } from '../tree.ts'

type Issue = z.core.$ZodIssue

export function issueFlaws(issue: Issue, tree: MapTree, known: KnownKeys): Flaw[] {
  const path = stepsOf(issue)
  const { tree: value, spot, path: written } = locate(tree, path)
  const flaw = (message: string, near: string | null = null): Flaw => ({ spot, path: written, message, nearest: near })
  const name = written.length === 0 ? 'This' : quoted(lastKey(written))
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, { tree: value, spot, path: written }, known))
    case 'invalid_union':
      return unionFlaws(issue, tree, known)
    case 'invalid_value': {
      const words = issue.values.map(String)
      const given = value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : null
      const near = given === null ? null : nearestWord(given, words)
      const meant = near === null ? '' : ` Did you mean ${quoted(near)}?`
      if (value === null) return [flaw(`${name} is missing. It must be ${choice(words)}.`)]
      return [flaw(`${name} must be ${choice(words)}, but it is ${described(value)}.${meant}`, near)]
    }
    case 'invalid_type':
      return [flaw(typeWords(name, [issue.expected], value))]
    case 'too_big':
    case 'too_small':
      return [flaw(`${name} ${boundWords(issue)}.`)]
    case 'not_multiple_of':
      return [flaw(`${name} must be a multiple of ${issue.divisor}.`)]
    case 'custom':
    case 'invalid_format':
      return [flaw(`${name} ${issue.message}.`)]
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.flatMap((inner) => issueFlaws({ ...inner, path: [...path, ...inner.path] }, tree, known))
  }
}

export function stepsOf(issue: Issue): Path {
  return issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
}

function unknownKey(key: string, at: Path, parent: Located, known: KnownKeys): Flaw {
  const entry = parent.tree === null ? null : entryAt(parent.tree, [key])
  // An alias that was moved to a place where nothing is known is reported as the word that was written.
  const written = entry?.value.path ?? [...parent.path, key]
  const where = parent.path.length === 0 ? 'here' : `of ${quoted(dotted(parent.path))}`
  const flaw = { spot: entry?.spot ?? parent.spot, path: written }
  if (key === 'max_retries' && at.at(-1) !== 'timeout_retry') return { ...flaw, ...maxRetries(entry?.value ?? null) }
  const near = nearestWord(key, known.at(at))
  const places = known.placesOf(key)
  const hints = [
    near === null ? '' : ` Did you mean ${quoted(near)}?`,
    places.length === 0 || places.length > 3 ? '' : ` There is ${choice(places.map(quoted))}.`,
  ]
  return { ...flaw, message: `${quoted(lastKey(written))} is not a key ${where}.${hints.join('')}`, nearest: near }
}

/** Who counts retries does not count the first attempt; we do. */
function maxRetries(value: Tree | null): Pick<Flaw, 'message' | 'nearest'> {
  const retries = value?.kind === 'scalar' && typeof value.value === 'number' ? value.value : null
  const attempts = retries === null ? '`retry.max_attempts`' : `\`retry.max_attempts: ${retries + 1}\``
  const message = `\`max_retries\` is not a key. Write ${attempts} under \`verification\`; it counts the first attempt too.`
  return { message, nearest: 'retry.max_attempts' }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** A union fails in each of its variants. What counts is the variant of the type that was written, if there is one. */
function unionFlaws(issue: UnionIssue, tree: MapTree, known: KnownKeys): Flaw[] {
  const isWrongType = (inner: Issue) => inner.path.length === 0 && inner.code === 'invalid_type'
  const meant = issue.errors.find((variant) => !variant.some(isWrongType))
  const path = stepsOf(issue)
  if (meant !== undefined) {
    return meant.flatMap((inner) => issueFlaws({ ...inner, path: [...path, ...inner.path] }, tree, known))
  }
  const expected = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []))
  const { tree: value, spot, path: written } = locate(tree, path)
  return [{ spot, path: written, message: typeWords(quoted(lastKey(written)), expected, value), nearest: null }]
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
}

function typeWords(name: string, expected: readonly string[], value: Tree | null): string {
  if (expected.includes('never')) return `${name} cannot be listed here; nothing can.`
  const types = choice(expected.map((type) => typeNames[type] ?? type))
  if (value === null) return `${name} is missing. It must be ${types}.`
  if (value.kind === 'scalar' && value.value === null) {
    return `${name} has no value. It must be ${types}; to keep the default, leave the key out.`
  }
  return `${name} must be ${types}, but it is ${described(value)}.`
}

function described(value: Tree): string {
  if (value.kind === 'list') return 'a list'
  if (value.kind === 'map') return 'a mapping'
  if (value.value === null) return 'empty'
  return typeof value.value === 'string' ? `the text ${quoted(value.value)}` : String(value.value)
}

type BoundIssue = Extract<Issue, { code: 'too_big' | 'too_small' }>

function boundWords(issue: BoundIssue): string {
  const [bound, least] = issue.code === 'too_small' ? [issue.minimum, true] : [issue.maximum, false]
  if (issue.origin === 'string' || issue.origin === 'array') {
    const unit = issue.origin === 'string' ? 'characters' : 'entries'
    if (least && Number(bound) === 1) return 'must not be empty'
    return `must have at ${least ? 'least' : 'most'} ${bound} ${unit}`
  }
  if (issue.inclusive === false) return `must be ${least ? 'more' : 'less'} than ${bound}`
  return `must be at ${least ? 'least' : 'most'} ${bound}`
}
