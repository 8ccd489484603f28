// Every case of the attack.
import type { Case } from './case.ts'
import { actCases } from './cases/acts.ts'
import { adoptedCases } from './cases/adopted.ts'
import { baseCases } from './cases/bases.ts'
import { jobTextCases } from './cases/job-texts.ts'
import { jobCases } from './cases/jobs.ts'
import { labelCases } from './cases/labels.ts'
import { machineCases } from './cases/machine.ts'
import { parseCases } from './cases/parse.ts'
import { readingCases } from './cases/readings.ts'
import { rejectionCases } from './cases/rejections.ts'
import { resultCases } from './cases/results.ts'
import { taskCases } from './cases/tasks.ts'
import { tenantCases } from './cases/tenants.ts'
import { wordCases } from './cases/words.ts'

const subjects = [...baseCases, ...rejectionCases, ...readingCases]
const machines = [...resultCases, ...jobCases, ...jobTextCases, ...adoptedCases]
const people = [...actCases, ...labelCases, ...taskCases]

export const allCases: readonly Case[] = [
  ...subjects,
  ...machines,
  ...people,
  ...tenantCases,
  ...wordCases,
  ...machineCases,
  ...parseCases,
]
