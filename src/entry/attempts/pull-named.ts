// Which pull request somebody means: `7` in a clone, `owner/repo#7`, or its address.
import { repositoryName } from '../../core/repository-name.ts'
import { visible } from '../../core/visible.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'
import { originHere } from '../cli/common/origin-here.ts'

export type PullNamed = { readonly repository: string; readonly number: number }

const full = new RegExp(`^(${repositoryName})#([1-9]\\d{0,9})$`)
const address = new RegExp(`^https?://[^/\\s]+/(${repositoryName})/(?:pull|issues)/([1-9]\\d{0,9})(?:[/?#].*)?$`)
const here = /^#?([1-9]\d{0,9})$/

export function pullNamed(text: string): PullNamed {
  const [, name, digits = ''] = full.exec(text) ?? address.exec(text) ?? []
  const number = Number(name === undefined ? (here.exec(text)?.[1] ?? '0') : digits)
  if (number === 0) {
    throw new CannotRun(
      `\`${visible(text)}\` is no pull request. Name it as owner/repo#7, by its address, or as 7 in a clone.`,
    )
  }
  const repository = name ?? originHere()
  if (repository === null) throw new CannotRun('there is no clone here: name the pull request as owner/repo#7')
  return { repository, number }
}
