// What a repository without a policy is told, where nothing requires one yet.
import type { CheckRunText } from './report.ts'

const firstPolicy = `version: 1
verification:
  checks:
    - npm test
`

export function beginText(fullName: string, branch: string): CheckRunText {
  const link = `https://github.com/${fullName}/new/${encodeURIComponent(branch)}?filename=.github/countersign.yml&value=${encodeURIComponent(firstPolicy)}`
  const summary = [
    `There is no policy on \`${branch}\` yet, so nothing is judged and nothing is blocked.`,
    `To begin, [add \`.github/countersign.yml\`](${link}):`,
    `\`\`\`yaml\n${firstPolicy}\`\`\``,
  ].join('\n\n')
  return { status: 'completed', conclusion: 'neutral', title: 'No policy yet', summary, annotations: [] }
}
