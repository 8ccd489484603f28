// Pull requests that came before an attempt and write the same places.

/** Some of the places that it writes as well, and how many there are beside: none where it only may, since not all are known. */
export type PullAhead = { readonly pull: number; readonly paths: readonly string[]; readonly more: number }

/** `gone`: those that were ahead of this commit, and are so no longer. `since` when each is known, by its number. */
export type Ahead = {
  readonly pulls: readonly PullAhead[]
  readonly gone: readonly number[]
  readonly since?: Readonly<Record<string, string>>
}
