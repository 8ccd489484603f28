// What a failed check says that failed, by name: the tests and problems that well-known tools print a line for each. A
// time, a count or a line number in it is blanked, since those move without anything getting better.
import { withoutSteering } from '../../visible.ts'

const LINES_MAX = 20_000
const LINE_LENGTH_MAX = 500
const NAMED_MAX = 500

/** Each begins where a line begins and names one thing. */
const named: readonly RegExp[] = [
  // vitest, jest, mocha's list, tape
  /^\s*(?:FAIL|×|✕|✗|✖|●)\s+(\S.*)$/,
  /^\s*not ok\b\s*(?:\d+\s*)?(?:-\s*)?(\S.*)$/,
  /^\s{1,8}\d+\) (\S.*)$/,
  // go, pytest, cargo, rspec, dotnet, maven
  /^\s*--- FAIL: (\S+)/,
  /^(?:FAILED|ERROR) (\S+(?: - .*)?)$/,
  /^test (\S+) \.\.\. FAILED$/,
  /^rspec (\S+)/,
  /^\s{0,4}Failed (\S+) \[/,
  /^\[ERROR\]\s+(\S.*)$/,
  // tsc, eslint, gcc, go vet, rustc and whatever else names a place
  /^([^\s:(][^:(]*\(\d+,\d+\): error \S.*)$/,
  /^\s*([^\s:][^:]*:\d+(?::\d+)?(?::| -) (?:error\b|fatal error\b)?.*)$/,
  /^\s{1,4}(\d+:\d+\s{1,8}error\s{1,8}\S.*)$/,
  /^(error(?:\[\w+\])?: \S.*)$/,
  // What an interpreter ends with
  /^(?:E\s+)?((?:\w+\.)*\w*(?:Error|Exception|Panic)(?: \[\w+\])?: \S.*)$/,
]

/** In order and each once; empty where nothing is told that could be known again. */
export function failingNames(output: string): string[] {
  const found = new Set<string>()
  for (const whole of output.split(/\r\n|\n|\r/, LINES_MAX)) {
    const line = withoutSteering(whole.slice(0, LINE_LENGTH_MAX)).trimEnd()
    const name = nameIn(line)
    if (name !== null) found.add(blankDigits(name))
    if (found.size >= NAMED_MAX) break
  }
  return [...found].sort()
}

function nameIn(line: string): string | null {
  for (const form of named) {
    const name = form.exec(line)?.[1]
    if (name !== undefined) return name.trim()
  }
  return null
}

export const blankDigits = (text: string): string => text.replaceAll(/\d+(?:\.\d+)?/g, '#')
