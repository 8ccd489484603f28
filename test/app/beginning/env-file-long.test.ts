// What becomes of the credentials that a registration brings, and of those that were there before.
import { generateKeyPairSync } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, comeBack, cookieOf, fill, registry, stateIn } from '../lab/registering.ts'
import { newDirectory, refusedApp } from '../lab/spawned.ts'
import { onLoopback } from '../../loopback.ts'

const { conversions, unregistered } = await registry()

describe('credentials that exist', () => {
  test('in .env are not hidden by an empty environment', async () => {
    const cwd = newDirectory()
    await writeFile(join(cwd, '.env'), 'APP_ID=7\nWEBHOOK_SECRET=one\n')
    const { code, output } = await refusedApp({ APP_ID: '', PRIVATE_KEY: '', WEBHOOK_SECRET: '' }, cwd)
    expect(code).toBe(1)
    expect(output).toMatch(/^countersign: \S+\.env holds APP_ID and WEBHOOK_SECRET, but the environment sets them to/)
    expect(output).not.toContain('token=')
  })

  test('by the time GitHub answers are not overwritten, and the code is not spent', async () => {
    const app = await unregistered()
    const confirm = await fill(app)
    await writeFile(join(app.cwd, '.env'), 'WEBHOOK_SECRET=mine\n')
    const answer = await comeBack(app, { code: 'late', state: stateIn(confirm), cookie: cookieOf(confirm) })
    expect(answer.status).toBe(500)
    expect(answer.text).toContain('names WEBHOOK_SECRET by now')
    expect(await readFile(join(app.cwd, '.env'), 'utf8')).toBe('WEBHOOK_SECRET=mine\n')
    expect(conversions()).toBe(0)
  })

  test('are put beside what the file says already, in place of empty lines', async () => {
    const cwd = newDirectory()
    await writeFile(join(cwd, '.env'), '# ours\nPORT=0\nAPP_ID=\nDATA_DIR=".countersign" # here', { mode: 0o644 })
    const app = await unregistered(cwd)
    const confirm = await fill(app)
    await comeBack(app, { code: 'three', state: stateIn(confirm), cookie: cookieOf(confirm) })
    const env = await readFile(join(cwd, '.env'), 'utf8')
    expect(env).toMatch(/^# ours\nPORT=0\nDATA_DIR="\.countersign" # here\nAPP_ID=\d+\nPRIVATE_KEY="/)
    expect((await stat(join(cwd, '.env'))).mode & 0o777).toBe(0o600)
  })
})

test('where .env cannot be written, nobody is sent to GitHub', async () => {
  const app = await unregistered()
  await rm(app.cwd, { recursive: true })
  const answer = await fill(app)
  expect(answer.status).toBe(500)
  expect(answer.text).toMatch(/Registration failed.*\.env.* cannot be written: .*ENOENT/s)
  expect(answer.text).not.toContain('/settings/apps/new')
})

test('what GitHub answers is not believed where it leads away or is no key', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const client = { client_id: 'Iv1.a', client_secret: 'two' }
  const answers = [
    { ...client, id: 7, pem: 'a key, believe me', webhook_secret: 'one', html_url: 'https://github.com/apps/one' },
    { ...client, id: 7, pem, webhook_secret: 'one\nPORT=1', html_url: 'https://github.com/apps/one' },
    { ...client, client_secret: 'a\nb', id: 7, pem, webhook_secret: 'one', html_url: 'https://github.com/apps/one' },
    { ...client, id: 7, pem, webhook_secret: 'one', html_url: 'javascript:alert("1")' },
  ]
  const other = createServer((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answers.shift()))
  })
  const port = await onLoopback(other)
  onTestFinished(() => void other.close())
  const app = await unregistered(newDirectory(), `http://127.0.0.1:${port}`)
  const tryOnce = async (): Promise<Answer> => {
    const confirm = await fill(app)
    return comeBack(app, { code: 'one', state: stateIn(confirm), cookie: cookieOf(confirm) })
  }
  for (const what of ['a key that is none', 'a secret of two lines', 'another one']) {
    const { status, text } = await tryOnce()
    expect({ what, status }).toEqual({ what, status: 500 })
    expect(text).toContain('holds no credentials')
  }
  const last = await tryOnce()
  expect(last.status).toBe(200)
  expect(last.text).not.toContain('javascript')
  expect([...last.text.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(['registered'])
})
