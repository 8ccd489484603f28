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

/** What an attack on the guard of the laboratory may find. */
export const flaw = {
  path: 'src/users.ts',
  side: 'new',
  line: 2,
  quote: 'if (!me.isAdmin) throw new Forbidden()',
  surface: 'security',
  severity: 'HIGH',
  claim: 'Nobody signed in is let pass.',
  failure_scenario: 'me is null, another error is thrown, and the caller goes on.',
  fix: 'Ask for somebody first.',
  confidence: 0.9,
}

/** What an attacker answers that found this. */
export function attacks(request: ModelRequest, ...findings: readonly Said[]): Said {
  return { ...founds(request), findings, summary: 'Attacked the guard.' }
}
