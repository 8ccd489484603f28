// A policy that is there and cannot be read is refused, and never taken for one that is missing or empty.
import { expect, test } from 'vitest'
import { organisationPolicy, policyAt, policyTexts } from '../../src/adapters/github/files/policy-file.ts'
import { governing } from '../../src/core/contract/policy/governing.ts'
import { scripted, type Reply } from './scripted.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const file = (more: object): Reply => ({
  json: { type: 'file', sha: 'b1', path: '.github/countersign.yml', size: 20, encoding: 'base64', ...more },
})
const policy = 'mode: shadow\n'

const folder = (type: string): Reply => ({ json: [{ type, path: '.github/countersign.yml' }] })
const isFolder = (line: string): boolean => /\/contents\/\.github(\?|$)/.test(line)
const answering =
  (contents: Reply | null, blob: Reply | null) =>
  ({ line }: { readonly line: string }): Reply | null =>
    line.includes('/git/blobs/') ? blob : isFolder(line) ? folder('file') : contents

/** GitHub answers this for the file, and this for its blob. */
async function read(contents: Reply | null, blob: Reply | null = null) {
  const { access, asked: all } = scripted(answering(contents, blob))
  const texts = await policyTexts(access, 'main', async () => null)
  const asked = all.filter(({ line }) => !isFolder(line))
  return { texts, requests: asked.length, governed: governing(texts) }
}

test('a file is read as it is, and a missing one is none', async () => {
  expect((await read(file({ content: base64(policy) }))).texts).toEqual({ sha: 'b1', own: policy, organisation: null })
  expect((await read(null)).texts).toEqual({ sha: '', own: null, organisation: null })
})

test('contents that GitHub leaves out are fetched as a blob', async () => {
  const without = file({ encoding: 'none', content: '', size: 1_100_000 })
  const { texts, governed } = await read(without, { json: { sha: 'b1', encoding: 'base64', content: base64(policy) } })
  expect(texts.own).toBe(policy)
  expect(governed.policy.mode).toBe('shadow')
})

const large = base64(`${policy}# ${'x'.repeat(1_200_000)}\n`)
const refused: readonly (readonly [string, Reply, Reply | null, number])[] = [
  ['larger than a policy may be', file({ encoding: 'none', content: '' }), { json: { content: large } }, 2],
  ['too large to be fetched', file({ encoding: 'none', content: '', size: 50_000_000 }), null, 1],
  [
    'too large for GitHub',
    { status: 403, json: { message: 'The requested blob is too large', errors: [{ code: 'too_large' }] } },
    null,
    1,
  ],
  ['a folder', { json: [{ type: 'file', name: 'x', path: 'x', sha: 'b2', size: 1 }] }, null, 1],
  ['a submodule', file({ type: 'submodule', submodule_git_url: null }), null, 1],
  ['a link to nowhere', file({ type: 'symlink', target: '../elsewhere' }), null, 1],
]
test.each(refused)('what is %s is an invalid policy', async (_name, contents, blob, requests) => {
  const done = await read(contents, blob)
  expect(done.texts.own).not.toBeNull()
  expect(done.governed.invalid).toMatchObject([{ code: 'policy_invalid' }])
  expect(done.requests).toBe(requests)
  // The same in the change itself, and in the organisation's default.
  const { access } = scripted(answering(contents, blob))
  expect(governing({ own: await policyAt(access, 'c1'), organisation: null }).invalid).toHaveLength(1)
  expect(governing({ own: null, organisation: await organisationPolicy(access) }).invalid).toHaveLength(1)
})

test('a file that a link leads to is an invalid policy, which GitHub answers like one that lies there', async () => {
  const { access } = scripted(({ line }) => (isFolder(line) ? folder('symlink') : file({ content: base64(policy) })))
  const { own } = await policyTexts(access, 'main', async () => null)
  const copy = await policyAt(access, 'c1')
  const organisation = await organisationPolicy(access)
  for (const text of [own, copy]) expect(governing({ own: text, organisation: null }).invalid).toHaveLength(1)
  expect(governing({ own: null, organisation }).invalid).toHaveLength(1)
})

test.each([500, 403])('an answer with %d says nothing about the policy', async (status) => {
  await expect(read({ status, json: { message: 'Resource not accessible by integration' } })).rejects.toMatchObject({
    status,
  })
})
