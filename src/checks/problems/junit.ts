// Failed tests in a JUnit report. The format has no standard, so a place is looked for where tools put one: attributes
// of the test case, and the first place within the text of the failure.
import { PROBLEMS_MAX } from '../../core/problems/lines.ts'
import { problemAt, type Folders, type Problem } from '../../core/problems/problem.ts'
import { readXml } from './xml.ts'

type Case = { readonly name: string; readonly file: string | undefined; readonly line: string | undefined }
type Failure = { message: string; text: string }

const TEXT_LENGTH_MAX = 20_000
const place = /(?:^|[\s("'])([^\s("':]{1,500}\.\w{1,8}):(\d{1,7})(?::\d{1,7})?/m

export function junitProblems(xml: string, folders: Folders): Problem[] {
  const found: Problem[] = []
  let current: Case | null = null
  let failure: Failure | null = null
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'testcase') current = caseOf(attributes)
      else if (name === 'failure' || name === 'error') failure = { message: attributes.get('message') ?? '', text: '' }
    },
    text: (text) => {
      if (failure !== null && failure.text.length < TEXT_LENGTH_MAX) {
        failure.text += text.slice(0, TEXT_LENGTH_MAX - failure.text.length)
      }
    },
    close: (name) => {
      if (name === 'testcase') current = null
      if ((name !== 'failure' && name !== 'error') || failure === null) return
      const problem = current === null ? null : problemOf(current, failure, folders)
      failure = null
      if (problem !== null && found.length < PROBLEMS_MAX) found.push(problem)
    },
  })
  return found
}

function caseOf(attributes: ReadonlyMap<string, string>): Case {
  const [name, group] = [attributes.get('name') ?? 'a test', attributes.get('classname')]
  return {
    name: group === undefined ? name : `${group} › ${name}`,
    file: attributes.get('file') ?? attributes.get('filename'),
    line: attributes.get('line') ?? attributes.get('lineno'),
  }
}

function problemOf(test: Case, { message, text }: Failure, folders: Folders): Problem | null {
  const [, named, row] = place.exec(text) ?? []
  const [reason = ''] = (message === '' ? text.trim() : message).split('\n')
  const words = `${test.name} failed${reason === '' ? '' : `: ${reason}`}`
  const isInText = named !== undefined && (test.file === undefined || named.endsWith(test.file))
  const told = isInText ? problemAt({ path: named, line: row, message: words }, folders) : null
  if (told !== null || test.file === undefined) return told
  return problemAt({ path: test.file, line: test.line ?? 1, message: words }, folders)
}
