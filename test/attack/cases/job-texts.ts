// Workflows that leave open which job is whose, or how it ends: the change rewrites one, or the base has it from the start.
import { workflow } from '../../app/lab/action-run.ts'
import { aJobRun, byJob, finish, job, tier1, workflowFor } from '../../app/lab/job-run.ts'
import type { Case } from '../case.ts'
import { told } from './jobs.ts'

const renamed: Case = {
  role: 'agent',
  name: 'jobs: the change gives another job the name of a check',
  play: async (scene) => {
    const given = await aJobRun(scene.app)
    const { shop } = given
    const text = workflowFor(byJob)
      .replace('          - "test"\n', '')
      .replace('  checks:\n', '  test: {}\n  checks:\n')
    const sha = await shop.push('feature', 'agent', { [workflow]: text })
    scene.never(shop, sha)
    const run = scene.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
    const changed = { ...given, sha, run }
    tier1(changed)
    for (const name of ['test', 'lint']) job(changed, name)
    await finish(changed)
  },
}

/** Of workflows of the base that leave open how a job ends, or which one it is. */
const bases: readonly Case[] = [
  ['a job that may fail', ['    needs: tier1\n', '    needs: tier1\n    continue-on-error: true\n']],
  [
    'a step that may fail',
    ["check: '${{ matrix.check }}' } }", "check: '${{ matrix.check }}' }, continue-on-error: true }"],
  ],
  [
    'a step that may be left out',
    ["check: '${{ matrix.check }}' } }", "check: '${{ matrix.check }}' }, if: success() }"],
  ],
  [
    'a job beside it whose name the change can choose',
    ['  checks:\n', "  beside: { name: '${{ github.head_ref }}', runs-on: x }\n  checks:\n"],
  ],
  ['a job beside it of the same name', ['  checks:\n', '  test: { runs-on: x }\n  checks:\n']],
  [
    'a second job for the check',
    ['  checks:\n', '  more: { steps: [{ uses: countersign/countersign@v0, with: { check: test } }] }\n  checks:\n'],
  ],
  [
    'code of the change before tier 1',
    ['      - uses: countersign/countersign@v0\n', '      - run: npm ci\n      - uses: countersign/countersign@v0\n'],
  ],
  ['a check that is worked out', ["check: '${{ matrix.check }}'", "check: '${{ inputs.check }}'"]],
].map(([words = '', [from = '', to = ''] = []]) =>
  told(
    `the workflow of the base has ${String(words)}`,
    (given, scene) => {
      scene.given(workflowFor(byJob).includes(from), 'the text is there')
      tier1(given)
      for (const name of ['test', 'lint']) job(given, name)
    },
    { text: workflowFor(byJob).replace(from, to) },
  ),
)

export const jobTextCases: readonly Case[] = [renamed, ...bases]
