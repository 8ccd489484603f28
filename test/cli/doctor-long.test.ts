// `countersign doctor` as a process: what it says of a repository where nothing is in place, what it mends, and what it says
// then; and one thing wrong at a time.
import { describe, expect, test, vi } from 'vitest'
import { appAt } from '../app/lab/running.ts'
import { workflowFiles } from '../action/workflow.ts'
import { watchedGitHub } from '../openapi/watched.ts'
import { countersign } from './cli.ts'
import { answer, aPractice, nothing, only, policy, policyFile } from './practice.ts'

vi.setConfig({ testTimeout: 60_000 })

const { github, cwd, aShop, asApp, asBoth, doctor, findings } = await aPractice()

test('a repository where nothing is in place, what it mends there, and what it says then', async () => {
  const shop = aShop({ 'package.json': '{ "scripts": { "test": "vitest" } }', 'package-lock.json': '{}' })
  const before = await doctor([shop], asBoth())
  expect(before.code).toBe(1)
  expect(before.out.replaceAll(github.url, 'https://github.com').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<then>'))
    .toMatchInlineSnapshot(`
      "acme1/shop

      ok       credentials     GitHub knows the App \`countersign\` (1)
      ok       permissions     it may do and hears all that app.yml asks for
      ok       installation    it is installed on acme1/shop
      wrong    webhooks        1 of the newest 1 did not arrive, the last of them on <then>
                               https://github.com/settings/apps/countersign/advanced
      wrong    required check  no rule of main requires \`countersign\`, so it blocks no merge
                               countersign doctor acme1/shop --fix, or https://github.com/acme1/shop/settings/rules
      unknown  side doors      no rule requires anything yet, so there is nothing to go around
      wrong    policy          there is no .github/countersign.yml on main, nor a default of the organisation
                               countersign doctor acme1/shop --fix, or countersign init in a clone
      unknown  workflow        what it has to run is not known without a policy
      ok       artifacts       they are kept for 90 days
      ok       clock           this machine’s clock agrees with GitHub’s
      unknown  database        it could not be looked at: there is no store in .countersign, or you may not read it. Set DATA_DIR or DATABASE_URL as for the App, or run this where the .env of the App is.
      unknown  model           which one the policy names is not known

      3 wrong, 4 unknown, 0 warning, 5 ok.
      "
    `)

  const asked = await doctor([shop, '--fix'], asBoth(), { input: 'n\n' })
  expect(asked.out).toContain(
    'Open a pull request into main that adds .github/countersign.yml and .github/workflows/countersign.yml? [y/N]',
  )
  expect(asked.out).not.toContain('opened ')

  const fixed = await doctor([shop, '--fix'], asBoth(), { input: 'y\n' })
  expect(fixed.out).toContain(`opened ${github.url}/${shop}/pull/1`)
  github.merge(shop, 1, { by: 'cleo' })
  const second = await doctor([shop, '--fix', '--yes', '--json'], asBoth())
  expect(answer.parse(JSON.parse(second.out)).done).toEqual([expect.stringMatching(/^added the ruleset \d+$/)])

  const after = await findings(shop)
  expect(only(after, ['required check', 'side doors', 'policy', 'workflow', 'triggers', 'pin', 'artifacts'])).toEqual([
    'ok: main requires `countersign` from this App alone',
    'ok: nobody may go around the rules',
    'ok: .github/countersign.yml is valid',
    'ok: .github/workflows/countersign.yml runs the Action',
    'ok: .github/workflows/countersign.yml runs when it has to',
    'ok: .github/workflows/countersign.yml takes the Action at the tag v0, which its owner can move',
    'ok: they are kept for 90 days',
  ])
})

test('without any credentials it says what it could not look at, and nothing is ok', async () => {
  const { code, out } = await doctor([aShop(), '--json'], {})
  const told = answer.parse(JSON.parse(out)).findings
  expect(code).toBe(1)
  expect(new Set(told.map(({ state }) => state))).toEqual(new Set(['unknown']))
  expect(told.find(({ about }) => about === 'credentials')?.why).toContain('set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET')
  expect(told.find(({ about }) => about === 'policy')?.why).toContain('set GITHUB_TOKEN')
})

describe('the App', () => {
  test('a number that GitHub does not know, and a key that is not its own', async () => {
    const shop = aShop()
    const other = { ...asBoth(), APP_ID: '999999' }
    expect((await findings(shop, other))['credentials']).toMatch(
      /^wrong: GitHub (knows no App 999999|does not take PRIVATE_KEY)/,
    )
  })

  test('one that was registered with less than app.yml asks for now', async () => {
    const old = await watchedGitHub({
      app: { ...appAt(1), permissions: { checks: 'write', contents: 'read' }, events: ['pull_request'] },
    })
    try {
      old.createOrg('acme', ['cleo'])
      old.createRepo('acme/shop', { by: 'cleo' })
      old.install('acme')
      const env = {
        ...nothing,
        GITHUB_API_URL: old.url,
        GH_TOKEN: old.tokenOf('cleo'),
        APP_ID: String(old.app.id),
        PRIVATE_KEY: old.app.privateKey,
        WEBHOOK_SECRET: old.app.webhookSecret,
      }
      const { out } = await countersign(['doctor', 'acme/shop', '--json'], { cwd, env })
      const lacking = answer.parse(JSON.parse(out)).findings.find(({ about }) => about === 'permissions')
      expect(lacking).toMatchObject({ state: 'wrong', mend: `${old.url}/settings/apps/countersign/permissions` })
      expect(lacking?.why).toMatch(/pull_requests: write.*statuses: write.*event merge_group/)
    } finally {
      await old.close()
    }
  })

  test('what it asks for was not accepted, it is not installed, or it is suspended', async () => {
    const older = aShop({}, false)
    github.install(older.split('/')[0] ?? '', {
      permissions: { checks: 'write', metadata: 'read' },
      events: ['pull_request'],
    })
    expect((await findings(older))['installation']).toMatch(
      /^wrong: what it asks for has not been accepted on acme\d+: .*statuses: write/,
    )
    expect((await findings(aShop({}, false)))['installation']).toMatch(/^wrong: it is not installed on acme\d+\/shop/)
    const shop = aShop({}, false)
    github.suspendInstallation(github.install(shop.split('/')[0] ?? ''), 'cleo')
    expect((await findings(shop))['installation']).toMatch(/^wrong: it is suspended on acme/)
  })

  test('webhooks that arrive nowhere', async () => {
    const shop = aShop()
    github.push(shop, 'feature', { files: { 'a.txt': 'a\n' }, author: 'cleo' })
    await github.idle()
    expect((await findings(shop))['webhooks']).toMatch(/^wrong: \d+ of the newest \d+ did not arrive/)
    github.setWebhookUrl('http://127.0.0.1:1/elsewhere')
    expect((await findings(shop))['webhooks']).toMatch(
      /^wrong: they are sent to http:\/\/127\.0\.0\.1:1\/elsewhere, and the App listens at/,
    )
    github.setWebhookUrl(appAt(1).webhookUrl)
  })
})

describe('the rules', () => {
  test.each<[string, (shop: string) => void, Readonly<Record<string, string>>]>([
    [
      'required from anybody',
      (shop) => github.protect(shop, 'main', { checks: [{ context: 'countersign', appId: null }] }),
      { 'required check': 'wrong: main takes `countersign` from anybody who may report' },
    ],
    [
      'required from another App',
      (shop) => github.protect(shop, 'main', { checks: [{ context: 'countersign', appId: 4 }] }),
      { 'required check': 'wrong: main takes `countersign` from another App (4)' },
    ],
    [
      'administrators are not bound',
      (shop) =>
        github.protect(shop, 'main', {
          checks: [{ context: 'countersign', appId: github.app.id }],
          enforceAdmins: false,
        }),
      {
        'required check': 'ok: main requires `countersign` from this App alone',
        'side doors': 'warning: the protection of main does not bind administrators',
      },
    ],
    [
      'a list of those who may go around',
      (shop) =>
        github.setRuleset(shop, 'gate', {
          checks: [{ context: 'countersign', appId: github.app.id }],
          bypass: [{ actorId: 5, actorType: 'RepositoryRole', mode: 'always' }],
        }),
      { 'side doors': 'warning: the ruleset `gate` lets the repository role 5 go around it' },
    ],
  ])('%s', async (_words, given, wanted) => {
    const shop = aShop({ [policyFile]: policy, ...workflowFiles })
    given(shop)
    const told = await findings(shop)
    expect(only(told, Object.keys(wanted))).toEqual(Object.values(wanted))
  })

  test('a queue, and a workflow that does not run in it', async () => {
    const workflow =
      'on: { pull_request: { types: [opened, synchronize] } }\njobs: { a: { runs-on: x, steps: [{ uses: countersign/countersign@main }] } }\n'
    const shop = aShop({ [policyFile]: policy, '.github/workflows/gate.yml': workflow })
    github.setRuleset(shop, 'queue', { queue: true })
    const { out } = await doctor([shop], asBoth())
    expect(out).toContain(
      'a merge queue is on, and .github/workflows/gate.yml does not run on `merge_group`, so the queue would wait for ever',
    )
    expect(out).toContain('does not run when a pull request gets another base')
    expect(out).toContain('takes the Action from `main`, which moves with every push')
  })
})

test('without a token, or with one of somebody else, what only administrators see is unknown', async () => {
  const shop = aShop({ [policyFile]: policy, ...workflowFiles })
  github.setPermission(shop, 'bob', 'write')
  github.protect(shop, 'main', { checks: [{ context: 'countersign', appId: github.app.id }], enforceAdmins: false })
  const writer = await findings(shop, { ...asApp(), GH_TOKEN: github.tokenOf('bob') })
  expect(only(writer, ['side doors', 'artifacts'])).toEqual([
    'unknown: who may bypass the rules is shown to administrators alone: set GITHUB_TOKEN to the token of one',
    'unknown: how long they are kept is shown to administrators alone',
  ])
  const told = await findings(aShop({ [policyFile]: policy, ...workflowFiles }), asApp())
  expect(told['policy']).toBe('ok: .github/countersign.yml is valid')
  expect(told['side doors']).toMatch(/^unknown: who may bypass the rules is shown to administrators alone/)
  expect(told['artifacts']).toMatch(/^unknown: /)
})

test('a policy that cannot be read, with its line; one that enforces nothing; results that are not kept', async () => {
  const shop = aShop({ [policyFile]: 'verification:\n  cheks: [test]\n' })
  github.setRetention(shop, 1)
  const told = await findings(shop)
  expect(told['policy']).toMatch(/^wrong: \.github\/countersign\.yml:2:3 /)
  expect(told['artifacts']).toBe('warning: they are kept for 1 day, and results may be asked for later')
  expect((await findings(aShop({ [policyFile]: `mode: shadow\n${policy}` })))['policy']).toBe(
    'warning: it says `mode: shadow`, so nothing is enforced',
  )
})

test.each([
  [['nowhere'], '`nowhere` is no repository. Name it as owner/repo.'],
  [['a/b', 'c/d'], 'name one repository at a time'],
  [['--jsno'], 'there is no option `--jsno` (did you mean `--json`?)'],
  [['a/b', '--yes'], '--yes is for --fix'],
])('wrong words: %s', async (args, words) => {
  const { code, err } = await doctor(args, {})
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
})
