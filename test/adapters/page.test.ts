// Our comment and our labels on a pull request: one request where they change together, and the same end wherever that
// fails half-way or is not possible at all.
import { validate } from '../openapi/github-schema.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { githubForge } from '../../src/adapters/github/forge.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { labelsWish } from '../../src/adapters/github/show/labels.ts'
import { pageQuery } from '../../src/adapters/github/show/node-ids.ts'
import { stickyWish } from '../../src/adapters/github/show/sticky.ts'
import { mutationOf } from '../../src/adapters/github/show/together.ts'
import { ourLabels } from '../../src/core/words/labels.ts'
import { stickyMarker } from '../../src/core/words/report.ts'
import type { Forge } from '../../src/ports.ts'
import { startGitHub, type GitHub } from '../github/github.ts'
import type { Fault } from '../github/wire/faults.ts'

let github: GitHub
let repos = 0
let repo: string
let pull: number
let now = 0
let losses = 0
beforeAll(async () => {
  github = await startGitHub({ app: { slug: 'countersign' } })
  github.createRepo('acme/first', { files: {}, by: 'ada' })
  github.install('acme')
})
afterAll(async () => github.close())
beforeEach(() => {
  repos += 1
  repo = `acme/shop-${repos}`
  github.createRepo(repo, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.push(repo, 'work', { files: { 'price.ts': 'export {}\n' }, author: 'ada' })
  pull = github.openPull(repo, { title: 'Prices', head: 'work', by: 'ada' })
})

/** As after a start: it knows nothing. */
function aForge(): Forge {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken(repo), github.url)
  const [owner = '', name = ''] = repo.split('/')
  return githubForge({
    octokit,
    place: { owner, repo: name },
    slug: 'countersign',
    app: null,
    now: () => now,
    losses: () => losses,
  })
}

type Refs = { readonly sticky: string | null; readonly labels: string | null }
const nowhere: Refs = { sticky: null, labels: null }
async function show(forge: Forge, body: string, labels: readonly string[], refs: Refs): Promise<Refs> {
  const [sticky, label] = await Promise.all([
    forge.show({ kind: 'sticky', pull, body }, refs.sticky),
    forge.show({ kind: 'labels', pull, labels }, refs.labels),
  ])
  return { sticky: sticky.ref, labels: label.ref }
}
const waiting = (forge: Forge, refs = nowhere) => show(forge, 'Waiting.', ['countersign:pending'], refs)
const passed = (forge: Forge, refs: Refs) => show(forge, 'Passed.', ['countersign:success', 'countersign:solo'], refs)

async function opened(forge = aForge()): Promise<{ forge: Forge; refs: Refs }> {
  await forge.brief({ pull, head_sha: '0'.repeat(40), base_ref: 'main' })
  return { forge, refs: await waiting(forge) }
}
function seen() {
  const { labels, comments } = github.look(repo, pull)
  return { labels, comments: comments.map(({ body }) => body) }
}
const afterPassing = { labels: ['countersign:solo', 'countersign:success'], comments: ['Passed.'] }

/** What was asked of GitHub: mutations by their fields, everything else by method and the end of its path. */
async function asked(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = github.requests.length
  await act()
  return github.requests.slice(before).map(({ method, path, mutates }) => {
    if (path === '/graphql') return mutates.join(' ') || 'query'
    return `${method} ${path.split('/').slice(4).join('/').replace(/\d+/g, '*')}`
  })
}

test('behind a loss of the database a page is looked for that another process may have written', async () => {
  const forge = aForge()
  await forge.brief({ pull, head_sha: '0'.repeat(40), base_ref: 'main' })
  const body = `${stickyMarker}\n\nWaiting.`
  const { sticky } = await show(aForge(), body, [], nowhere)
  losses += 1
  expect((await show(forge, `${body} Passed.`, [], nowhere)).sticky).toBe(sticky)
  expect(seen().comments).toEqual([`${body} Passed.`])
})

test('the comment and the labels that change together are one request', async () => {
  const { forge, refs } = await opened()
  expect(await asked(() => passed(forge, refs))).toEqual([
    'updateIssueComment addLabelsToLabelable removeLabelsFromLabelable',
  ])
  expect(seen()).toEqual(afterPassing)
})

test('what others set on the same page stays', async () => {
  const { forge, refs } = await opened()
  github.label(repo, pull, 'bug', 'bob')
  github.comment(repo, pull, { body: 'Nice.', by: 'bob' })
  const after = await passed(forge, refs)
  expect(seen()).toEqual({ labels: ['bug', ...afterPassing.labels], comments: ['Passed.', 'Nice.'] })
  expect(after).toEqual({ sticky: refs.sticky, labels: 'countersign:success,countersign:solo' })
})

test('a change that is one request anyway is made over REST', async () => {
  const { forge, refs } = await opened()
  expect(await asked(() => show(forge, 'Still waiting.', ['countersign:pending'], refs))).toEqual([
    'PATCH issues/comments/*',
  ])
  expect(seen()).toEqual({ labels: ['countersign:pending'], comments: ['Still waiting.'] })
})

test('a label that is to give way to another is one request without the comment, too', async () => {
  const { forge, refs } = await opened()
  const swap = () => forge.show({ kind: 'labels', pull, labels: ['countersign:retry'] }, refs.labels)
  expect(await asked(swap)).toEqual(['addLabelsToLabelable removeLabelsFromLabelable'])
  expect(seen().labels).toEqual(['countersign:retry'])
})

test('two pull requests at once do not end up on one page', async () => {
  const one = await opened()
  const other = github.openPull(repo, {
    title: 'More',
    head: github.push(repo, 'more', { files: { a: '1' }, author: 'ada' }) && 'more',
    by: 'ada',
  })
  await one.forge.brief({ pull: other, head_sha: '0'.repeat(40), base_ref: 'main' })
  const first = await one.forge.show({ kind: 'sticky', pull: other, body: 'Waiting too.' }, null)
  const labels = await one.forge.show({ kind: 'labels', pull: other, labels: ['countersign:pending'] }, null)
  await Promise.all([
    passed(one.forge, one.refs),
    one.forge.show({ kind: 'sticky', pull: other, body: 'Failed.' }, first.ref),
    one.forge.show({ kind: 'labels', pull: other, labels: ['countersign:failed'] }, labels.ref),
  ])
  expect(seen()).toEqual(afterPassing)
  expect(github.look(repo, other)).toMatchObject({ labels: ['countersign:failed'], comments: [{ body: 'Failed.' }] })
})

test('a process that has just begun asks once which labels there are and what things are called', async () => {
  const { refs } = await opened()
  const later = aForge()
  expect(await asked(() => passed(later, refs))).toEqual([
    'query',
    'updateIssueComment addLabelsToLabelable removeLabelsFromLabelable',
  ])
  expect(await asked(() => waiting(later, { ...refs, labels: 'countersign:success,countersign:solo' }))).toHaveLength(1)
  expect(seen()).toEqual({ labels: ['countersign:pending'], comments: ['Waiting.'] })
})

describe('where it goes wrong, the end is the same', () => {
  const troubles: readonly (readonly [string, Fault['trouble'], number])[] = [
    ['GraphQL is not there', { kind: 'answer', status: 404 }, 4],
    ['GraphQL refuses us', { kind: 'answer', status: 403, message: 'Resource not accessible by integration' }, 4],
    ['an answer is lost before anything was done', { kind: 'answer', status: 502 }, 4],
    ['an answer is lost after everything was done', { kind: 'answer', status: 502, effect: 'after' }, 4],
    ['the connection breaks', { kind: 'reset', effect: 'after' }, 4],
  ]
  test.each(troubles)('%s', async (_name, trouble, requests) => {
    const { forge, refs } = await opened()
    const fault = github.addFault({ path: '/graphql', trouble })
    const calls = await asked(() => passed(forge, refs))
    expect(calls.filter((call) => !call.startsWith('updateIssueComment'))).toHaveLength(requests - 1)
    expect(seen()).toEqual(afterPassing)
    // It is not tried again each time, and tried again after a while.
    const again = await asked(() => waiting(forge, { ...refs, labels: 'countersign:success,countersign:solo' }))
    expect(again.filter((call) => call.startsWith('update') || call === 'query')).toEqual([])
    github.removeFault(fault)
    now += 11 * 60_000
    expect(await asked(() => passed(forge, { ...refs, labels: 'countersign:pending' }))).toHaveLength(1)
    expect(seen()).toEqual(afterPassing)
  })

  test('GitHub asks for patience', async () => {
    const { forge, refs } = await opened()
    const trouble = { kind: 'answer', status: 403, headers: { 'retry-after': '1' } } as const
    github.addFault({ path: '/graphql', times: 1, trouble })
    const after = await passed(forge, refs)
    expect(seen()).toEqual(afterPassing)
    expect(await asked(() => waiting(forge, after))).toHaveLength(1)
  })

  test('somebody deleted the comment', async () => {
    const { forge, refs } = await opened()
    github.deleteComment(repo, Number(refs.sticky), 'ada')
    const after = await passed(forge, refs)
    expect(after.sticky).not.toBe(refs.sticky)
    expect(seen()).toEqual(afterPassing)
  })

  test('somebody deleted a label from the repository', async () => {
    const { forge, refs } = await opened()
    github.deleteLabel(repo, 'countersign:success')
    expect(await passed(forge, refs)).toEqual({ sticky: refs.sticky, labels: 'countersign:success,countersign:solo' })
    expect(seen()).toEqual(afterPassing)
    const back = await waiting(forge, { ...refs, labels: 'countersign:success,countersign:solo' })
    expect(await asked(() => passed(forge, back))).toEqual([
      'updateIssueComment addLabelsToLabelable removeLabelsFromLabelable',
    ])
  })
})

describe('the labels of a repository', () => {
  const shape = z.array(z.object({ name: z.string(), color: z.string(), description: z.string().nullable() }))
  const defined = async () => {
    const headers = { authorization: `token ${github.tokenOf('ada')}` }
    const answer = await fetch(`${github.url}/repos/${repo}/labels?per_page=100`, { headers })
    return shape.parse(await answer.json()).filter(({ name }) => name.startsWith('countersign:'))
  }

  test('are made at its first pull request, with what they mean', async () => {
    const calls = await asked(() => opened())
    expect(calls.filter((call) => call.startsWith('createLabel'))).toHaveLength(1)
    expect(await defined()).toEqual(ourLabels)
    const again = await asked(() => opened())
    expect(again.filter((call) => call.startsWith('createLabel'))).toEqual([])
  })

  test('keep what their maintainers made of them', async () => {
    github.label(repo, pull, 'Countersign:Pending', 'ada')
    await opened()
    expect(await defined()).toHaveLength(ourLabels.length - 1)
    expect(seen().labels).toEqual(['Countersign:Pending'])
  })

  test('are made by being set where they cannot be made beforehand', async () => {
    const fault = github.addFault({ path: '/graphql', skip: 1, trouble: { kind: 'answer', status: 502 } })
    await opened()
    github.removeFault(fault)
    expect(seen().labels).toEqual(['countersign:pending'])
    expect((await defined()).map(({ name }) => name)).toEqual(['countersign:pending'])
  })

  test('say what they mean in as many characters as GitHub takes', () => {
    for (const { name, color, description } of ourLabels) {
      expect(`${name} ${color}`).toMatch(/^countersign:[a-z-]{1,38} [0-9a-f]{6}$/)
      expect(description.length).toBeLessThanOrEqual(100)
    }
  })
})

test('GitHub knows what we ask and change over GraphQL', () => {
  const id = (thing: string): string => thing
  const labels = { kind: 'labels', pull: 1, labels: ['countersign:retry', 'countersign:solo'] } as const
  const wishes = [
    stickyWish({ kind: 'sticky', pull: 1, body: 'Failed.' }, '7'),
    labelsWish(labels, 'countersign:pending'),
    labelsWish(labels, ''),
  ]
  const mutations = wishes.map((wish) => mutationOf(wish.parts(id)).text)
  const both = mutationOf(wishes.slice(0, 2).flatMap((wish) => wish.parts(id))).text
  const define = mutationOf([
    {
      name: 'label0',
      field: 'createLabel(input: $label0) { label { id name } }',
      variables: { label0: { type: 'CreateLabelInput!', value: {} } },
    },
  ]).text
  expect([pageQuery, both, define, ...mutations].flatMap((text) => validate(text))).toEqual([])
  expect(validate(both.replace('labelableId', 'labelable'))).not.toEqual([])
})

describe('a label that GitHub took while it said that it failed', () => {
  const labelled = (forge: Forge, label: string, ref: string | null) =>
    forge.show({ kind: 'labels', pull, labels: [`countersign:${label}`] }, ref)
  const cutOff = async (forge: Forge, label: string, ref: string | null) => {
    const fault = github.addFault({ method: 'write', trouble: { kind: 'answer', status: 502, effect: 'after' } })
    await expect(labelled(forge, label, ref)).rejects.toMatchObject({ status: 502 })
    github.removeFault(fault)
  }

  test('is not left beside the one that is shown next', async () => {
    const { forge, refs } = await opened()
    await cutOff(forge, 'success', refs.labels)
    expect(seen().labels).toContain('countersign:success')
    await labelled(forge, 'retry', refs.labels)
    expect(seen().labels).toEqual(['countersign:retry'])
  })

  test('nor by a process that was started since', async () => {
    const { forge, refs } = await opened()
    await cutOff(forge, 'success', refs.labels)
    await labelled(aForge(), 'retry', refs.labels)
    expect(seen().labels).toEqual(['countersign:retry'])
  })
})
