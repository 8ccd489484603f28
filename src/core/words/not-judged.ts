// What the check run says of a commit that is not judged, and how a repository without a policy begins.
import { visible } from '../visible.ts'
import type { CheckRunText } from './report.ts'
import { codeSpan } from './untrusted.ts'

const cancelled = { status: 'completed', conclusion: 'cancelled', annotations: [] } as const
export const notReadyText: CheckRunText = {
  ...cancelled,
  title: 'Not judged',
  summary: 'This is not an open, ready pull request.',
}
export const supersededText: CheckRunText = {
  ...cancelled,
  title: 'Superseded',
  summary: 'A newer commit was pushed meanwhile.',
}
export const switchedOffText: CheckRunText = {
  ...cancelled,
  conclusion: 'neutral',
  title: 'Switched off',
  summary: 'The policy on the base branch says `mode: off`.',
}

const firstPolicy = `version: 1
verification:
  checks:
    - npm test
`

export function beginText(fullName: string, branch: string): CheckRunText {
  const link = `https://github.com/${fullName}/new/${encodeURIComponent(visible(branch))}?filename=.github/countersign.yml&value=${encodeURIComponent(firstPolicy)}`
  const summary = [
    `There is no policy on ${codeSpan(branch)} yet, so nothing is judged and nothing is blocked.`,
    `To begin, [add \`.github/countersign.yml\`](${link}):`,
    `\`\`\`yaml\n${firstPolicy}\`\`\``,
  ].join('\n\n')
  return { status: 'completed', conclusion: 'neutral', title: 'No policy yet', summary, annotations: [] }
}
