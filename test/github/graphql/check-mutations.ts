// Check runs over GraphQL: the same acts as over REST, under the names that GraphQL gives to what they are given.
// https://docs.github.com/en/graphql/reference/mutations#createcheckrun
import { createCheckRun, updateCheckRun } from '../acts/checks.ts'
import { neededText, record, records, text, type Fields } from '../fields.ts'
import { appCalling, checkFields, ownRun } from '../routes/checks.ts'
import type { Call } from '../wire/call.ts'
import { runNode } from './checks.ts'
import { repoNamed, runNamed } from './named.ts'

export const createRun =
  (call: Call) =>
  (input: Fields): Fields => {
    const repo = repoNamed(call, text(input, 'repositoryId'), 'checks')
    const sha = neededText(input, 'headSha')
    return {
      checkRun: runNode(createCheckRun(call.world, repo, appCalling(call), sha, checkFields(asOverRest(input)))),
    }
  }

export const updateRun =
  (call: Call) =>
  (input: Fields): Fields => {
    const repo = repoNamed(call, text(input, 'repositoryId'), 'checks')
    const run = ownRun(call, repo, runNamed(text(input, 'checkRunId')))
    updateCheckRun(call.world, repo, run, checkFields(asOverRest(input)))
    return { checkRun: runNode(run) }
  }

const asOverRest = (input: Fields): Fields => {
  const output = record(input, 'output')
  return {
    name: text(input, 'name'),
    external_id: text(input, 'externalId'),
    status: text(input, 'status')?.toLowerCase(),
    conclusion: text(input, 'conclusion')?.toLowerCase(),
    ...(output === null ? {} : { output: { ...output, annotations: records(output, 'annotations')?.map(annotation) } }),
  }
}

const annotation = (one: Fields): Fields => ({
  path: one['path'],
  start_line: record(one, 'location')?.['startLine'],
  end_line: record(one, 'location')?.['endLine'],
  annotation_level: text(one, 'annotationLevel')?.toLowerCase(),
  message: one['message'],
})
