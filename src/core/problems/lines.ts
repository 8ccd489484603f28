// Problems in what well-known tools print: tsc, eslint (stylish and unix), pytest, go, rustc and cargo. Each reads one
// line at a time and may remember the line before, which is where some tools name the file or the reason.
import { withoutSteering } from '../visible.ts'
import { problemAt, type Folders, type Problem, type Said } from './problem.ts'

const LINES_MAX = 300_000
const LINE_LENGTH_MAX = 2_000
export const PROBLEMS_MAX = 200

/** Answers what a line says, or null. A new reader is made for each text. */
type Reader = (line: string) => Said | null

export function problemsIn(text: string, folders: Folders): Problem[] {
  const readers = [typescript(), eslintStylish(), unixStyle(), pytest(), goStyle(), rust(), rustPanic()]
  const found = new Map<string, Problem>()
  for (const whole of text.split('\n', LINES_MAX)) {
    const line = withoutSteering(whole.slice(0, LINE_LENGTH_MAX)).trimEnd()
    for (const read of readers) {
      const said = read(line)
      const problem = said === null ? null : problemAt(said, folders)
      if (problem === null) continue
      const key = `${problem.path}:${problem.line}:${problem.message}`
      if (!found.has(key)) found.set(key, problem)
      break
    }
    if (found.size >= PROBLEMS_MAX) break
  }
  return [...found.values()]
}

/** `src/a.ts(3,7): error TS2322: …`, or with `--pretty` `src/a.ts:3:7 - error TS2322: …`. */
function typescript(): Reader {
  const plain = /^(.{1,500}?)\((\d+),(\d+)\): (error|warning) (TS\d+: .+)$/
  const pretty = /^(.{1,500}?):(\d+):(\d+) - (error|warning) (TS\d+: .+)$/
  return (line) => {
    if (!line.includes(' TS')) return null
    const [, path, row, column, level, message] = plain.exec(line) ?? pretty.exec(line) ?? []
    if (path === undefined || message === undefined) return null
    return { path, line: row, column, level: level === 'warning' ? 'warning' : 'error', message }
  }
}

/** A line with the file, and below it `  3:7  error  …  rule-name`. */
function eslintStylish(): Reader {
  const entry = /^ {1,4}(\d+):(\d+) {1,8}(error|warning) {1,8}(\S.*)$/
  let file: string | null = null
  return (line) => {
    const [, row, column, level, message] = entry.exec(line) ?? []
    if (message !== undefined && file !== null) {
      const words = message.replace(/ {2,}/, ' (').replace(/(\(.*)$/, '$1)')
      return { path: file, line: row, column, level: level === 'warning' ? 'warning' : 'error', message: words }
    }
    if (line === '') file = null
    else if (/^\S.{0,500}\.\w{1,10}$/.test(line)) file = line
    return null
  }
}

/** `src/a.js:3:7: … [Error/no-undef]`, as eslint's unix format and others write it. */
function unixStyle(): Reader {
  const entry = /^([^\s:][^:]{0,500}):(\d+):(\d+): (?:(error|warning|note)(?:\[\w+\])?: )?(\S.*)$/
  return (line) => {
    const [, path, row, column, level, message] = entry.exec(line) ?? []
    if (path === undefined || message === undefined || level === 'note') return null
    const isWarning = level === 'warning' || /\[Warning\//.test(message)
    return { path, line: row, column, level: isWarning ? 'warning' : 'error', message }
  }
}

/** `tests/test_a.py:12: AssertionError` ends a traceback; the lines before it that begin with `E` say why. */
function pytest(): Reader {
  const place = /^([^\s:][^:]{0,500}\.py):(\d+): (\w*(?:Error|Exception|Failed|Exit|Interrupt|Warning)\b.*)$/
  const reason = /^E {2,8}(\S.*)$/
  let why: string | null = null
  return (line) => {
    // The first of them is the assertion, the others explain it.
    why ??= reason.exec(line)?.[1] ?? null
    const [, path, row, kind] = place.exec(line) ?? []
    if (path === undefined || kind === undefined) return null
    const message = why === null || why.startsWith(kind) ? (why ?? kind) : `${kind}: ${why}`
    why = null
    return { path, line: row, level: kind.includes('Warning') ? 'warning' : 'error', message }
  }
}

/** `a_test.go:12: …` below `--- FAIL`, and `pkg/a.go:3:7: …` of vet and of the compiler. */
function goStyle(): Reader {
  const entry = /^\s{0,16}(?:vet: )?([^\s:][^:]{0,500}\.go):(\d+)(?::(\d+))?: (\S.*)$/
  return (line) => {
    const [, path, row, column, message] = entry.exec(line) ?? []
    return path === undefined || message === undefined ? null : { path, line: row, column, message }
  }
}

/** `error[E0308]: …`, and on a later line ` --> src/main.rs:4:5`. */
function rust(): Reader {
  const head = /^(error|warning)(?:\[\w+\])?: (\S.*)$/
  const place = /^\s{0,8}--> ([^:]{1,500}):(\d+):(\d+)$/
  let said: { readonly level: Problem['level']; readonly message: string } | null = null
  return (line) => {
    const [, level, message] = head.exec(line) ?? []
    if (message !== undefined) said = { level: level === 'warning' ? 'warning' : 'error', message }
    const [, path, row, column] = place.exec(line) ?? []
    if (path === undefined || said === null) return null
    const { level: grave, message: words } = said
    said = null
    return { path, line: row, column, level: grave, message: words }
  }
}

/** `thread 'a' panicked at src/lib.rs:10:5:`, and the message on the next line. */
function rustPanic(): Reader {
  const entry = /^thread '.{0,200}'.{0,40} panicked at ([^:]{1,500}):(\d+):(\d+):$/
  let at: Omit<Said, 'message'> | null = null
  return (line) => {
    if (at !== null) {
      const said = { ...at, message: line === '' ? 'panicked' : line }
      at = null
      return said
    }
    const [, path, row, column] = entry.exec(line) ?? []
    if (path !== undefined) at = { path, line: row, column }
    return null
  }
}
