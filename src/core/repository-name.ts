// How GitHub names a repository, for whatever has such a name in it: an owner has no dot, and `.` and `..` are no names, since they
// would lead elsewhere in an address.

/** Part of a pattern. */
export const repositoryName = String.raw`[\w-]{1,100}\/(?!\.{1,2}(?![\w.-]))[\w.-]{1,100}`
const whole = new RegExp(`^${repositoryName}$`)

export const isRepositoryName = (text: string): boolean => whole.test(text)
