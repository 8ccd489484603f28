import type { Answer } from '../../src/verifier/weighing/answer.ts'

/** What a judge says who has nothing to say. */
export const nothing: Answer = {
  probes: [],
  open_items: [],
  findings: [],
  suspicious_text: [],
  unseen_needed: [],
  feedback: [],
  summary: '',
  proposed_verdict: 'PASS',
  stated: 1,
  clipped: 0,
}
