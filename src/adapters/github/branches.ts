// Which checks the rules of a branch require, whether classic protection or rulesets say so.
// https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch
import { z } from 'zod'
import type { Access } from './access.ts'
import { orUnseen } from './status.ts'

const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.object({ required_status_checks: z.array(z.object({ context: z.string() })).default([]) }).optional(),
  }),
)
const protection = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({
          contexts: z.array(z.string()).default([]),
          checks: z.array(z.object({ context: z.string() })).default([]),
        })
        .nullish(),
    })
    .nullish(),
})

export async function requiredChecks({ octokit, place }: Access, branch: string): Promise<readonly string[]> {
  const [ruled, guarded] = await Promise.all([
    orUnseen(octokit.request('GET /repos/{owner}/{repo}/rules/branches/{branch}', { ...place, branch })),
    orUnseen(octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...place, branch })),
  ])
  const byRules = rules
    .catch([])
    .parse(ruled?.data)
    .flatMap(({ parameters }) => parameters?.required_status_checks ?? [])
  const classic = protection.catch({}).parse(guarded?.data).protection?.required_status_checks
  const names = [...byRules, ...(classic?.checks ?? [])].map(({ context }) => context)
  return [...new Set([...names, ...(classic?.contexts ?? [])])]
}
