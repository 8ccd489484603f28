// `npm run -s release -- v0.1.0`: prints what the changelog says of that version, or what keeps it from being released.
import { VERSION } from '../../src/entry/version.ts'
import { textOf } from '../house/repository.ts'
import { notesOf, releaseProblems } from './release.ts'

const [tag = ''] = process.argv.slice(2)
const changelog = textOf('CHANGELOG.md')
const problems = releaseProblems({ tag, version: VERSION, changelog })
for (const problem of problems) console.error(`release: ${problem}.`)
if (problems.length > 0) process.exitCode = 1
else console.log(notesOf(changelog, VERSION))
