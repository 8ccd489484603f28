// What those answer who look for defects, and those who are to refute one; the judge's answers are in the laboratory.
import { controlled, promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { blocking, type Said } from './lab.ts'

const { level: _level, ...shownDefect } = blocking
const found = { ...shownDefect, severity: 'major' }

/** What a first reading answers that found this. */
export function founds(request: ModelRequest, ...findings: readonly Said[]): Said {
  const seen = promptSeen(request)
  const { probes, copied } = controlled(seen)
  return {
    schema: 'v1',
    nonce: seen.nonce,
    findings: findings.map((one) => ({ ...found, ...one })),
    suspicious_text: [],
    copied,
    probes: probes.map(({ id, answer }) => ({ id, answer })),
  }
}

/** What somebody answers who was to refute a claim. */
export function refutes(request: ModelRequest, outcome: string, ...evidence: readonly Said[]): Said {
  const { findings: _findings, suspicious_text: _text, ...rest } = founds(request)
  return { ...rest, outcome, why: 'So it is.', evidence }
}
