// A task is named `repository#number`. What is shown has the repository's name there; a stream has its key, which outlives
// a new name, and what is not a task but lies at an issue has its kind before the number: `key#goal-7`. Lines of what waits are
// named so too, or after a commit: `key@sha`.

export const repositoryIn = (name: string): string => /^[^#@]*/.exec(name)?.[0] ?? name

/** Not a number where none is named. */
export const numberIn = (name: string): number => Number(behindHash(name).replace(/^[a-z]+-/, '') || NaN)

/** What a stream is of, named for people. */
export const shownAs = (full_name: string, stream: string): string => `${full_name}#${behindHash(stream)}`

const behindHash = (name: string): string => /#(.*)/s.exec(name)?.[1] ?? ''

/**
 * What is called with an `@`: a login or a team. That of a managed user ends in the short code of its enterprise.
 * https://docs.github.com/en/enterprise-cloud@latest/admin/concepts/identity-and-access-management/username-considerations
 */
export const isAccountOrTeam = (called: string): boolean =>
  /^@[a-z\d][a-z\d-]{0,38}(?:_[a-z\d]+)?(?:\/[\w.-]{1,100})?$/i.test(called)
