// Which step runs the Action. Whoever writes the workflow of the base is trusted to name it; a step that is only called
// alike would have the results of another program believed, so what counts is said here and nowhere else:
//
//   - `countersign/countersign`, where it is published, at any version;
//   - `<owner>/countersign` of the owner of the repository itself, at any version;
//   - `<anybody>/countersign` at a full commit, which nobody moves behind the base's back;
//   - a folder of the repository whose `action.yml` is ours or takes such a step (`./`), see workflows.ts.
//
// What stands behind an expression counts for nothing, since nobody knows what it will be.
import type { Manifest, Step } from './workflow-file.ts'

const publisher = 'countersign'
const named = /^([a-z0-9-]+)\/countersign@([^\s{}]+)$/i
const commit = /^[0-9a-f]{40}$/

export function isOurs(uses: string, owner: string): boolean {
  const [, whose, ref = ''] = named.exec(uses) ?? []
  if (whose === undefined) return false
  return [publisher, owner.toLowerCase()].includes(whose.toLowerCase()) || commit.test(ref)
}

/** The Action's own manifest, in a repository that holds its sources. */
export const isOwnManifest = ({ name, runs }: Manifest): boolean =>
  name === 'Countersign' && runs.main === 'action/dist/index.js'

/** Where a step finds an action in the workspace: `a/b` for `./a/b/`, or null where it is none of the workspace. */
export const folderOf = (uses: string): string | null =>
  /^\.(\/|$)/.test(uses) && !/(^|\/)\.\.(\/|$)|\$\{\{/.test(uses) ? plainPath(uses) : null

const plainPath = (path: string): string => path.replace(/^(\.\/)+|^\.$/, '').replace(/\/+$/, '')

export const isCheckout = (uses: string): boolean => uses.startsWith('actions/checkout@')

/** The checkout that an earlier step of the same job put into a folder. */
export const checkoutInto = (folder: string, before: readonly Step[]): Step['with'] =>
  before.findLast(({ uses = '', with: inputs }) => isCheckout(uses) && plainPath(inputs?.path ?? '') === folder)?.with

/** The commit or the branch that a pull request or a merge group stands on, which no change moves. */
export const isBaseRef = (ref: string | null | undefined): boolean =>
  /^\$\{\{[^{}]*\}\}$/.test(ref ?? '') &&
  (ref ?? '')
    .slice(3, -2)
    .split('||')
    .every((one) =>
      /^\s*(github\.base_ref|github\.event\.(pull_request\.base\.(sha|ref)|merge_group\.base_(sha|ref)))\s*$/.test(one),
    )
