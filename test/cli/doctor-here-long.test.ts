// What `countersign doctor` finds on the machine that it runs on: the key of the model, the clone that it stands in, and a file
// of settings that may be a stranger's.
import { createServer } from 'node:http'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { answer, aPractice, policy, policyFile } from './practice.ts'
import { onLoopback } from '../loopback.ts'

vi.setConfig({ testTimeout: 60_000 })

const { aShop, asPerson, asBoth, doctor, findings } = await aPractice()

test('the model: no key, one that is refused, a name that nobody knows, and what it costs', async () => {
  const server = createServer((request, response) => {
    const status =
      request.headers.authorization !== 'Bearer good' ? 401 : request.url?.endsWith('claude-sonnet-5-5') ? 200 : 404
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const MODEL_BASE_URL = `http://127.0.0.1:${await onLoopback(server)}`
  const shop = aShop({ [policyFile]: 'verification: { checks: [{ check_run: build }] }\n' })
  const priced = 'budget: { prices: { claude-nobody: { input: 1, output: 5 } } }\n'
  const strange = aShop({ [policyFile]: `verification: { verifier: { model: claude-nobody } }\n${priced}` })
  const model = async (name: string, key: string) =>
    (await findings(name, { ...asBoth(), MODEL_BASE_URL, ANTHROPIC_API_KEY: key }))['model']
  try {
    expect(await model(shop, '')).toBe('warning: the verifier is off, since the App has no key')
    expect(await model(shop, 'bad')).toMatch(/^wrong: .* does not take ANTHROPIC_API_KEY$/)
    expect(await model(shop, 'good')).toBe(
      'ok: `claude-sonnet-5-5` is known; a question of 28,000 tokens costs about $0.08 at list price',
    )
    expect(await model(strange, 'good')).toMatch(/^wrong: .* knows no model `claude-nobody`$/)
  } finally {
    server.close()
  }
})

test('the repository of this clone, whose files get nothing of what is known here', async () => {
  const shop = aShop({ [policyFile]: policy })
  const clone = await mkdtemp(join(tmpdir(), 'countersign-doctor-'))
  await mkdir(join(clone, '.git'))
  await mkdir(join(clone, 'src'))
  await writeFile(join(clone, '.git/HEAD'), 'ref: refs/heads/main\n')
  await writeFile(
    join(clone, '.git/config'),
    `[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:${shop}.git\n`,
  )
  const { out } = await doctor(['--json'], asPerson(), { cwd: join(clone, 'src') })
  expect(answer.parse(JSON.parse(out)).repository).toBe(shop)

  // What the file says is not even looked at where there are secrets that it could lead astray.
  await writeFile(join(clone, '.env'), 'MODEL_BASE_URL=http://127.0.0.1:1\nLOG_LEVEL=nonsense\n')
  const known = await doctor(['--json'], asBoth(), { cwd: clone })
  expect(answer.parse(JSON.parse(known.out)).findings[0]?.state).toBe('ok')
  const alone = await doctor(['--json'], {}, { cwd: clone })
  expect([alone.code, alone.out]).toEqual([2, expect.stringContaining('LOG_LEVEL')])
})
