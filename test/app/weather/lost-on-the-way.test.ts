// One webhook is lost on its way while the App is up, and the next one arrives: no gap is seen, and what was said is heard
// before anything turns green all the same.
import { describe, expect, test } from 'vitest'
import { shareOf } from '../../depth.ts'
import { sharedInTime } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { changesIn, untold, type Change } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { aChange, wasGreen } = changesIn(app)

const approved = `version: 1
merge_requires: completed
identities: { agents: [agent] }
verification: { checks: [{ name: build, check_run: build, app: github-actions }] }
`

describe('one webhook is lost on its way while the App is up, and the next one arrives', () => {
  const losing = async (act: () => unknown): Promise<void> => {
    await app.idle()
    await untold(github, act)
  }
  test.each(
    shareOf<readonly [string, (change: Change) => unknown, RegExp]>(2, [
      [
        'a comment',
        ({ shop, number }) => github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' }),
        /rejected by bob/,
      ],
      [
        'a review',
        ({ shop, number }) => github.review(shop.name, number, { by: 'bob', event: 'REQUEST_CHANGES', body: 'no' }),
        /rejected by bob/,
      ],
      ['a label', ({ shop, number }) => github.label(shop.name, number, 'countersign:reject', 'bob'), /bob/],
    ]),
  )('a rejection by %s', async (_name, reject, words) => {
    const change = await aChange()
    const { shop, sha, number } = change
    await losing(() => reject(change))
    aMinuteLater()
    github.label(shop.name, number, 'needs-docs', 'bob')
    await shop.build(sha, 'success')
    await until(async () => (await shop.check(sha)).startsWith('failure'))
    expect(await shop.check(sha)).toMatch(words)
    expect(wasGreen(sha, shop.name)).toBe(false)
  })

  test.each(
    shareOf<readonly [string, (change: Change) => unknown, string]>(
      2,
      [
        [
          'a comment',
          ({ shop, number }) => github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' }),
          'issues/*/comments*',
        ],
        [
          'a review',
          ({ shop, number }) => github.review(shop.name, number, { by: 'bob', event: 'REQUEST_CHANGES', body: 'no' }),
          'pulls/*/reviews*',
        ],
        [
          'a label',
          ({ shop, number }) => github.label(shop.name, number, 'countersign:reject', 'bob'),
          'issues/*/events*',
        ],
      ],
      1,
    ),
  )('a rejection by %s, whose list does not show it yet', async (_name, reject, list) => {
    const change = await aChange()
    const { shop, sha, number } = change
    await losing(() => reject(change))
    aMinuteLater()
    const trouble = { kind: 'answer', status: 200, body: [] } as const
    github.addFault({
      method: 'GET',
      path: `/repos/${shop.name}/${list.replace('*', String(number))}`,
      times: 2,
      trouble,
    })
    await shop.build(sha, 'success')
    await until(async () => (await shop.check(sha)).startsWith('failure'))
    expect(wasGreen(sha, shop.name)).toBe(false)
  })

  test('what somebody said whose account is gone keeps nothing from turning green', async () => {
    const { shop, sha, number } = await aChange()
    await losing(() => github.comment(shop.name, number, { body: '/reject', by: 'bob' }))
    const trouble = { kind: 'null', field: 'user', where: 'instead' } as const
    github.addFault({ method: 'GET', path: `/repos/${shop.name}/issues/${number}/comments*`, trouble })
    await shop.build(sha, 'success')
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
  })

  test('a dismissal of what was approved', async () => {
    const change = await aChange(approved)
    const { shop, sha, number } = change
    const review = github.review(shop.name, number, { by: 'bob', event: 'APPROVE' })
    await losing(() => github.dismiss(shop.name, number, review, 'ada'))
    aMinuteLater()
    github.label(shop.name, number, 'needs-docs', 'bob')
    await shop.build(sha, 'success')
    await app.idle()
    expect(wasGreen(sha, shop.name)).toBe(false)
  })

  test('what people chat costs one read, and keeps nothing from turning green', async () => {
    const { shop, sha, number } = await aChange()
    await losing(() => {
      for (let index = 0; index < 3; index += 1) github.comment(shop.name, number, { body: 'nice', by: 'bob' })
    })
    const before = github.requests.length
    await shop.build(sha, 'success')
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
    const reads = github.requests.slice(before).filter(({ path }) => path.endsWith(`/issues/${number}/comments`))
    expect(reads).toHaveLength(1)
  })
})
