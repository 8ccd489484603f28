// What a fact is a fact about. A pull request is judged as one thing: this commit, with this tree, for this base, under this
// policy. Whatever was found out or said about another thing is not there. Each kind of fact names the parts that must
// be equal, here and nowhere else.

export type Subject = {
  /** By its id, so that a rename changes nothing. */
  readonly repository: string
  readonly pull: number
  /** The branch by whose policy and rules it is judged. */
  readonly base_ref: string
  readonly head_sha: string
  /** Empty where GitHub did not tell; then nothing but the commit itself has it. */
  readonly tree_sha: string
  readonly policy_hash: string
}

type Part = Exclude<keyof Subject, 'tree_sha'> | 'tree' | 'brought'

/** What each kind of fact was found out or said about. */
const bindings = {
  attempt: ['repository', 'pull', 'base_ref', 'head_sha', 'policy_hash'],
  approval: ['pull', 'base_ref', 'tree', 'brought'],
  change_request: ['pull'],
  rejection: ['tree'],
  shown: ['repository', 'base_ref', 'head_sha'],
  deployment: ['pull', 'base_ref', 'head_sha'],
} as const satisfies Record<string, readonly Part[]>
export type FactKind = keyof typeof bindings

type Said = Partial<Subject & Target> & Pick<Subject, 'head_sha' | 'tree_sha'>

/** Whether a fact of this kind about one subject is a fact about the other. */
export function isAbout(kind: FactKind, fact: Said, subject: Subject & Partial<Target>): boolean {
  return bindings[kind].every((part) => {
    if (part === 'tree') return isSameTree(fact, subject)
    return part === 'brought' ? bringsTheSame(fact, subject) : fact[part] === subject[part]
  })
}

export type Target = {
  /** The branch that it merges into: not the one that judges it where pull requests are stacked. */
  readonly merges_into: string
  /** All commits that it takes there, as one digest; absent where not all are known. */
  readonly brings?: string
}

export const targetOf = ({ merges_into, brings }: Target): Target => ({
  merges_into,
  ...(brings === undefined ? {} : { brings }),
})

/** Into the same branch, or into another one with no commit more and none less, as where what lay below has been merged. */
export const bringsTheSame = (one: Partial<Target>, other: Partial<Target>): boolean =>
  one.merges_into === other.merges_into || (one.brings !== undefined && one.brings === other.brings)

export type Place = Pick<Subject, 'head_sha' | 'base_ref'> & { readonly merges_into: string }

/** Whether a pull request is where it was: this commit, judged for and merging into these branches. */
export const isSamePlace = (one: Place, other: Place): boolean =>
  one.head_sha === other.head_sha && isSameBase(one, other)

type OfBase = Pick<Place, 'base_ref' | 'merges_into'>
export const isSameBase = (one: OfBase, other: OfBase): boolean =>
  one.base_ref === other.base_ref && one.merges_into === other.merges_into

type Tree = Pick<Subject, 'head_sha' | 'tree_sha'>

export function isSameTree(one: Tree, other: Tree): boolean {
  return one.head_sha === other.head_sha || (one.tree_sha !== '' && one.tree_sha === other.tree_sha)
}

type Base = Pick<Subject, 'base_ref'> & { readonly base_is_default: boolean }

/** A lenient base must not lend its green to another, so every base but the default one has a check of another name. */
export const checkNameOf = ({ base_ref, base_is_default }: Base): string =>
  base_is_default ? plainCheckName : `${plainCheckName} (${base_ref})`

export const plainCheckName = 'countersign'
