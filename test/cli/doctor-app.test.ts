// What `countersign doctor` says of the installation of the App by what GitHub answers: without an answer nothing is known.
import { expect, test } from 'vitest'
import { readManifest } from '../../src/entry/app/manifest.ts'
import { lookAtApp } from '../../src/entry/cli/doctor/app.ts'
import { readSettings } from '../../src/entry/wire.ts'
import { type Reply, scripted } from '../adapters/scripted.ts'

const { default_permissions: permissions, default_events: events } = readManifest()
const may = { permissions, events }

async function looked(installation: Reply) {
  const { access } = scripted(({ line }) => {
    if (line.startsWith('GET /app/hook/config')) return { json: { url: 'https://acme.dev/api/github/webhooks' } }
    if (line.startsWith('GET /app/hook/deliveries')) return { json: [] }
    if (line.startsWith('GET /app')) return { json: { id: 1, slug: 'countersign', owner: null, ...may } }
    return installation
  })
  const { findings, self } = await lookAtApp({
    app: access.octokit,
    place: access.place,
    settings: readSettings({}),
    pages: 'https://github.com',
    person: null,
    installed: () => null,
    skewSeconds: () => null,
  })
  const told = findings.find(({ about }) => about === 'installation')
  return [told?.state, told?.why, self?.installation]
}

test.each([
  [200, { id: 5, html_url: '', suspended_at: null, ...may }, ['ok', 'it is installed on acme/shop', 5]],
  [404, { message: 'Not Found' }, ['wrong', 'it is not installed on acme/shop', null]],
  [422, { message: 'No' }, ['unknown', expect.stringMatching(/^it could not be looked at: No/), null]],
  [
    502,
    { message: 'Bad Gateway' },
    ['unknown', expect.stringMatching(/^it could not be looked at: Bad Gateway/), null],
  ],
  [200, { message: 'moved' }, ['unknown', expect.stringMatching(/^it could not be looked at: /), null]],
])('where GitHub answers %i %j', async (status, json, told) => {
  expect(await looked({ status, json })).toEqual(told)
})
