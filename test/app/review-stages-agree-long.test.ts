// What a policy's tests say of review stages is what the App does: each case is played by `countersign test` as a process, and
// lived through on the GitHub of the tests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { countersign } from '../cli/cli.ts'
import { appOfFile } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await appOfFile()

type Human = { by: string; act?: 'review_changes_requested'; builder?: true; teams?: string[]; permission?: string }
type Case = {
  name: string
  review: object
  roles?: object
  merge_requires?: 'completed'
  changed?: string[]
  author?: 'human'
  code_owners?: string
  unseen_teams?: string[]
  humans?: Human[]
  expected: string
}
const ofTeam = { stages: [{ name: 'security', by: ['ORG/security'] }] }
const owners = { stages: [{ name: 'owners', by: ['code_owners'] }] }
const two = [{ name: 'design', by: ['bob', 'eve'] }, { name: 'security', by: ['bob'] }] // prettier-ignore
const eve = { by: 'eve', teams: ['ORG/security'] }
const cases: readonly Case[] = [
  { name: 'a team', review: ofTeam, humans: [eve], expected: 'success success' },
  { name: 'not of the team', review: ofTeam, humans: [{ by: 'bob' }], expected: 'refer review stage_missing' },
  { name: 'a team that nobody sees', review: { stages: [{ name: 's', by: ['ORG/ghosts'] }] }, unseen_teams: ['ORG/ghosts'], humans: [eve], expected: 'refer review stage_team_unknown' },
  { name: 'other paths', review: { stages: [{ name: 's', by: ['bob'], paths: ['auth/**'] }] }, expected: 'success success' },
  { name: 'its paths', review: { stages: [{ name: 's', by: ['bob'], paths: ['auth/**'] }] }, changed: ['auth/a.ts'], expected: 'refer review stage_missing' },
  { name: 'owners, one of two', review: owners, changed: ['a.ts', 'docs/b.md'], code_owners: '* @cleo\n/docs/ @ORG/security\n', humans: [eve], expected: 'refer review stage_missing' },
  { name: 'owners, both', review: owners, changed: ['a.ts', 'docs/b.md'], code_owners: '* @cleo\n/docs/ @ORG/security\n', humans: [eve, { by: 'cleo', permission: 'admin' }], expected: 'success success' },
  { name: 'an address', review: owners, code_owners: '* bob@example.com\n', humans: [{ by: 'bob' }], expected: 'success success' },
  { name: 'owners of nothing here', review: owners, code_owners: '/docs/ @bob\n', humans: [{ by: 'bob' }], expected: 'refer review owners_nobody' },
  { name: 'broken owners', review: owners, code_owners: '!a @bob\n', humans: [{ by: 'bob' }], expected: 'refer review owners_broken' },
  { name: 'no owners', review: owners, humans: [{ by: 'bob' }], expected: 'refer review owners_nobody' },
  { name: 'one person for two stages', review: { stages: two }, humans: [{ by: 'bob' }], expected: 'refer review stage_missing' },
  { name: 'one person, as policy says', review: { stages: two, same_person: true }, humans: [{ by: 'bob' }], expected: 'success success' },
  { name: 'whoever came first goes where only they can', review: { stages: two }, humans: [{ by: 'bob' }, eve], expected: 'success success' },
  { name: 'of agents alone', review: { stages: [{ name: 's', by: ['bob'], when: 'agents' }] }, author: 'human', expected: 'success success' },
  { name: 'of agents', review: { stages: [{ name: 's', by: ['bob'], when: 'agents' }] }, expected: 'refer review stage_missing' },
  { name: 'two of them', review: { stages: [{ name: 's', count: 2 }] }, humans: [{ by: 'bob' }], expected: 'refer review stage_missing' },
  { name: 'a builder', review: { stages: [{ name: 's', by: ['bob', 'cleo'] }] }, humans: [{ by: 'bob', builder: true }], expected: 'refer review stage_missing' },
  { name: 'sent back', review: ofTeam, humans: [{ ...eve, act: 'review_changes_requested' }], expected: 'failed rejected stage_rejected rejected_by' },
] // prettier-ignore

const decided = z.object({
  status: z.string(),
  row: z.string(),
  reasons: z.array(z.object({ code: z.string(), text: z.string() })),
})
const runs = z.object({ check_runs: z.array(z.object({ id: z.number(), output: z.object({ text: z.string() }) })) })
type Decided = z.output<typeof decided>
const codes = ({ status, row, reasons }: Decided): string => [status, row, ...reasons.map(({ code }) => code)].join(' ')
/** As people read it. */
const said = ({ status, row, reasons }: Decided): string =>
  [`${status} ${row}`, ...reasons.map(({ text }) => text)].join(': ')

async function lived(one: Case): Promise<{ org: string; shown: string }> {
  const shop = await aShop(app, 'version: 1\n')
  const { org, name } = shop
  app.github.setTeam(org, 'security', { members: ['eve'], repos: { [name]: 'write' } })
  const policy = JSON.stringify({ ...policyOf(one), verification: { checks: [{ name: 'build', check_run: 'build', app: 'github-actions' }], verifier: { enabled: false } } }) // prettier-ignore
  const files = {
    '.github/countersign.yml': policy.replaceAll('ORG', org),
    ...(one.code_owners === undefined ? {} : { '.github/CODEOWNERS': one.code_owners.replaceAll('ORG', org) }),
  }
  app.github.push(name, 'main', { files, author: 'bob' })
  await shop.idle()
  const author = one.author === 'human' ? 'ada' : 'agent'
  const changed = Object.fromEntries((one.changed ?? ['src/a.ts']).map((path) => [path, 'x\n']))
  let sha = app.github.push(name, 'feature', { files: changed, author })
  const makers = (one.humans ?? []).filter(({ builder }) => builder)
  for (const { by } of makers) sha = app.github.push(name, 'feature', { files: { 'src/more.ts': 'y\n' }, author: by })
  const number = await shop.open(author)
  await shop.build(sha, 'success')
  for (const { by, act } of one.humans ?? [])
    await shop.review(number, by, act === undefined ? 'APPROVE' : 'REQUEST_CHANGES', 'as I say')
  const { check_runs } = runs.parse(await shop.read(`/commits/${sha}/check-runs?check_name=countersign`))
  const [newest] = check_runs.toSorted((a, b) => b.id - a.id)
  const json = /```json\n(.*?)\n```/s.exec(newest?.output.text ?? '')?.[1] ?? ''
  const shown = said(decided.parse(JSON.parse(json)))
  return { org, shown: shown.replaceAll(org, 'ORG') }
}

const policyOf = ({ review, roles = {}, merge_requires }: Case) => ({
  version: 1,
  identities: { agents: ['agent'] },
  review,
  roles,
  ...(merge_requires === undefined ? {} : { merge_requires }),
})

test('the App and `countersign test` agree', async () => {
  const played = cases
    .map((one) => ({ ...one, policy: policyOf(one) }))
    .map(({ name, policy, changed, author, code_owners, unseen_teams, humans }) => ({
      name,
      given: {
        policy: { ...policy, verification: { checks: ['build'], verifier: { enabled: false } } },
        author: author ?? 'agent',
        checks: { build: 'passed' },
        changed: changed ?? ['src/a.ts'],
        code_owners: code_owners ?? null,
        unseen_teams: unseen_teams ?? [],
        addresses: { 'bob@example.com': 'bob' },
        humans: (humans ?? []).map((human) => ({
          act: 'review_approved',
          permission: 'write',
          reason: 'as I say',
          ...human,
        })),
      },
      expect: { refused: 0 },
    }))
  const directory = await mkdtemp(join(tmpdir(), 'countersign-agree-'))
  await writeFile(join(directory, 'cases.yml'), JSON.stringify({ cases: played }))
  const ran = await countersign(['test', 'cases.yml', '--json'], { cwd: directory })
  await rm(directory, { recursive: true })
  const outcomes = z.object({ cases: z.array(z.object({ actual: decided })) }).parse(JSON.parse(ran.out))
  expect(outcomes.cases.map(({ actual }, index) => `${cases[index]?.name}: ${codes(actual)}`)).toEqual(
    cases.map(({ name, expected }) => `${name}: ${expected}`),
  )
  const byCli = outcomes.cases.map(({ actual }, index) => `${cases[index]?.name}: ${said(actual)}`)
  const byApp: string[] = []
  for (const one of cases) byApp.push(`${one.name}: ${(await lived(one)).shown}`)
  expect(byApp).toEqual(byCli)
}, 120_000)
