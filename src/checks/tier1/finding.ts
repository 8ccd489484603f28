// Something that a person or the verifier should look at, and that does not fail by itself.
export const severities = ['HIGH', 'MEDIUM', 'LOW', 'INFO'] as const
export type Severity = (typeof severities)[number]

export type Finding = {
  readonly path: string
  readonly line: number
  readonly severity: Severity
  readonly category: 'weakened_test' | 'hidden_text' | 'secret'
  readonly message: string
}
