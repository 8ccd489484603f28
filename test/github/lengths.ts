// How long a text may be, counted as GitHub counts: texts of check runs in bytes, everything that people write in
// characters.
// https://docs.github.com/en/rest/checks/runs and https://github.com/github/docs/issues/35252
import { invalid, type Problem } from './problem.ts'

const outputBytesMax = 65_535
const bodyMax = 65_536
const titleMax = 256
const labelMax = { name: 50, description: 100 } as const
const annotationMax = { title: 255, message: 65_536, raw_details: 65_536 } as const

/** A character beyond the first plane is one, though JavaScript counts two. */
const charactersIn = (text: string): number => Array.from(text).length

const tooLong = (resource: string, field: string, max: number): Problem =>
  invalid(resource, field, `${field} is too long (maximum is ${max} characters)`)

export function outputProblem(field: string, value: string | null): Problem | null {
  if (value === null || Buffer.byteLength(value) <= outputBytesMax) return null
  return invalid('CheckRun', field, `${field} exceeds a maximum bytesize of ${outputBytesMax}`)
}

export function bodyProblem(
  resource: string,
  body: string | null,
  { blank }: { readonly blank: boolean },
): Problem | null {
  if (!blank && (body ?? '').trim() === '') return invalid(resource, 'body', "Body can't be blank")
  return charactersIn(body ?? '') > bodyMax ? tooLong(resource, 'body', bodyMax) : null
}

export const titleProblem = (resource: string, title: string): Problem | null =>
  charactersIn(title) > titleMax ? tooLong(resource, 'title', titleMax) : null

export function labelProblem(name: string, description: string | null): Problem | null {
  if (name.trim() === '') return invalid('Label', 'name', "name can't be blank")
  if (charactersIn(name) > labelMax.name) return tooLong('Label', 'name', labelMax.name)
  if (charactersIn(description ?? '') <= labelMax.description) return null
  return tooLong('Label', 'description', labelMax.description)
}

type Marked = { readonly title: string | null; readonly message: string; readonly raw_details: string | null }

/** The title of a mark in characters, the rest in bytes. */
export function annotationProblem({ title, message, raw_details }: Marked): Problem | null {
  if (charactersIn(title ?? '') > annotationMax.title) return tooLong('CheckRun', 'title', annotationMax.title)
  const longest = [message, raw_details ?? ''].find((text) => Buffer.byteLength(text) > annotationMax.message)
  return longest === undefined ? null : invalid('CheckRun', 'annotations', 'an annotation exceeds 64 KB')
}
