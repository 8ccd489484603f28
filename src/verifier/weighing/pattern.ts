// A verdict read from the last line of a plain text by two patterns: what stands before may quote anything. The failing one
// wins, and silence fails too. Patterns come from policies and the text from a model, so the engine is one whose time grows
// with the text and nothing else.
import type { RE2JS } from 're2js'
import { compiled } from '../../core/linear-pattern.ts'
import { upTo } from '../../core/visible.ts'

export const defaultPass = String.raw`(?im)^\s*VERDICT:\s*PASS\s*$`
export const defaultFail = String.raw`(?im)^\s*VERDICT:\s*FAIL\b[:\s]*(.*)$`
const TEXT_MAX = 65_536
const REASON_MAX = 500

export type Passed = { readonly passed: true } | { readonly passed: false; readonly reason: string }

export type AnswerQuestion = { readonly text: string; readonly pass: string; readonly fail: string }

/** As plain data, so that it can be read elsewhere. Both patterns compile, or nobody would have been asked. */
export function readAnswer({ text, pass, fail }: AnswerQuestion): Passed {
  const [passing, failing] = [compiled(pass), compiled(fail)]
  if (passing === null || failing === null) throw new Error('A pattern that does not compile reads no answer')
  return readByPatterns(text, passing, failing)
}

export function readByPatterns(text: string, pass: RE2JS, fail: RE2JS): Passed {
  const line = lastLine(text).slice(0, TEXT_MAX)
  const passes = pass.matcher(line).find()
  const failing = fail.matcher(line)
  if (failing.find()) {
    if (passes) return { passed: false, reason: 'ambiguous verdict: both patterns match' }
    const group = failing.groupCount() > 0 ? (failing.group(1) ?? '') : ''
    return { passed: false, reason: excerpt(group) || excerpt(line) || 'the failing pattern matches' }
  }
  return passes ? { passed: true } : { passed: false, reason: 'no verdict: neither pattern matches its last line' }
}

function lastLine(text: string): string {
  const end = text.trimEnd()
  return end.slice(Math.max(end.lastIndexOf('\n'), end.lastIndexOf('\r')) + 1)
}

export const excerpt = (text: string, max = REASON_MAX): string => upTo(text.trim(), max)
