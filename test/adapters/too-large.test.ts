// A difference that is too large for GitHub is a list that is not complete, which refers; never an error that comes back
// each time it is tried.
import { expect, test } from 'vitest'
import { changedFiles } from '../../src/adapters/github/files/files.ts'
import { scripted, type Reply } from './scripted.ts'

const head = { pull: 7, head_sha: 'c'.repeat(40), merges_into: 'main' }
const tooLong = (status: number): Reply => ({ status, json: { message: 'this diff is taking too long to generate' } })

test.each([406, 422])('answered with %d by whatever is asked', async (status) => {
  const { access } = scripted(() => tooLong(status))
  expect(await changedFiles(access, head)).toEqual({ files: [], complete: false, patches: new Map(), parting: null })
})

test('what one of the lists says is kept, and does not count as all', async () => {
  const files = Array.from({ length: 300 }, (_, index) => ({ filename: `src/${index}.ts`, status: 'added' }))
  const { access } = scripted(({ line }) => (line.includes('/compare/') ? { json: { files } } : tooLong(422)))
  const list = await changedFiles(access, head)
  expect([list.files.length, list.complete]).toEqual([300, false])
})

test('an outage is none', async () => {
  const { access } = scripted(() => ({ status: 500, json: { message: 'no' } }))
  await expect(changedFiles(access, head)).rejects.toMatchObject({ status: 500 })
})
