// What a case of the attack is: who attacks, what they do in plain words, and a short story played against the real App. It
// says which checks must never be green from some moment on, and what else must come true.
import type { GitHub } from '../github/github.ts'
import type { Shop } from '../app/lab/shop.ts'
import type { Running } from '../app/lab/running.ts'

export const roles = ['outsider', 'writer', 'agent', 'co-tenant', 'code under test'] as const
export type Role = (typeof roles)[number]

export type Scene = {
  readonly app: Running
  readonly github: GitHub
  /** A repository with people, an agent and this policy; by default one check of CI is required. */
  readonly shop: (policy?: string | null, files?: Readonly<Record<string, string>>) => Promise<Shop>
  /** From now on this check of ours must not pass on this commit, not for a moment. */
  readonly never: (shop: Shop, sha: string, check?: string) => void
  /** What the story stands on: where it is not so, the case proves nothing. */
  readonly given: (holds: boolean, words: string) => void
  /** What must come true besides: an honest change goes on, a secret stays out of sight. */
  readonly must: (holds: boolean, words: string) => void
  readonly settled: () => Promise<void>
}
export type Case = {
  readonly role: Role
  readonly name: string
  /** GitHub does not come to its senses here, so that trying again for ever is right. */
  readonly patient?: boolean
  readonly play: (scene: Scene) => Promise<void>
}

/** Nothing turned green and nothing stopped, and yet the attacker got something. */
export class Missed extends Error {}

/** Every combination of two lists, as cases. */
export const each = <A, B>(
  ones: readonly A[],
  others: readonly B[],
  make: (one: A, other: B) => Case,
): readonly Case[] => ones.flatMap((one) => others.map((other) => make(one, other)))
