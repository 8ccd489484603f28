// What goes wrong in words and codes of GitHub's REST interface. Thrown anywhere below a route, answered by the server.
// https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
export class Problem extends Error {
  readonly status: number
  readonly errors: readonly unknown[] | null
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    errors: readonly unknown[] | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.headers = headers
  }
}

const documentationUrl = 'https://docs.github.com/rest'

export const problemBody = (status: number, message: string, errors: readonly unknown[] | null = null) => ({
  message,
  ...(errors === null ? {} : { errors }),
  documentation_url: documentationUrl,
  status: `${status}`,
})

export const notFound = (): Problem => new Problem(404, 'Not Found')

export const badCredentials = (): Problem => new Problem(401, 'Bad credentials')

/** What an App's token hears; `accepted` names the permissions that would have done. */
export const notAccessible = (accepted: string): Problem =>
  new Problem(403, 'Resource not accessible by integration', null, { 'x-accepted-github-permissions': accepted })

export const mustHaveRights = (): Problem => new Problem(403, 'Must have admin rights to Repository.')

export function invalid(resource: string, field: string, message: string | null = null): Problem {
  const code = message === null ? 'invalid' : 'custom'
  return new Problem(422, 'Validation Failed', [{ resource, field, code, ...(message === null ? {} : { message }) }])
}

export const missing = (field: string): Problem => new Problem(422, `Invalid request.\n\n"${field}" wasn't supplied.`)

/** Some refusals come as bare sentences. */
export const refused = (message: string): Problem => new Problem(422, 'Unprocessable Entity', [message])
