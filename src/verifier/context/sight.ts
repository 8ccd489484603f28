// What stands around a change, as the verifier is shown it: lines of files as they are at the head, each with the reason why
// it was chosen. They can show that something breaks; they never show that the change does what it should.
import type { PresentedFile } from '../change/presented.ts'

/** The files of one commit. Null is what cannot be read as text, or is not there. */
export type Texts = {
  readonly paths: readonly string[]
  readonly textOf: (path: string) => string | null
  /** Whether every file can be read, so that names can be looked for. */
  readonly searchable: boolean
}
export type Why =
  | 'file'
  | 'enclosing'
  | 'imports'
  | 'caller'
  | 'definition'
  | 'test'
  | 'document'
  | 'sibling'
  | 'linked'
  | 'asked'

/** Lines of one file, counted from 1. */
export type Excerpt = {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly why: Why
  /** The name that it was found by; empty where it was found by its place. */
  readonly name: string
}

/** An excerpt that is shown, cleaned like everything of others. */
export type ShownExcerpt = Excerpt & { readonly file: PresentedFile }
export type Sight = {
  readonly shown: readonly ShownExcerpt[]
  /** What was not looked at, and why, in words for people. */
  readonly notes: readonly string[]
}
export const nothingSeen: Sight = { shown: [], notes: [] }

export const whyWords = {
  file: 'the changed file as it is now',
  enclosing: 'around changed lines',
  imports: 'head of the changed file',
  caller: 'uses',
  definition: 'defines',
  test: 'tests',
  document: 'names',
  sibling: 'a neighbour of the changed file',
  linked: 'named by the changed file, or names it',
  asked: 'asked for',
} as const satisfies Record<Why, string>
