// A Postgres that is reached by TLS only: its certificate is exchanged for one that nobody trusts, or the server speaks no TLS any
// more. The App says so, at its start as well, and goes on by itself once that is mended.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase, server } from '../lab/a-database.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { freePort, START_MS_MAX, until } from '../lab/running.ts'
import { beganApp, isReady, newDirectory, post } from '../lab/spawned.ts'

type Certificate = { readonly path: string; readonly key: string; readonly cert: string }
type Speech = Certificate | 'no TLS'

function certificate(name: string): Certificate {
  const [key, path] = [join(newDirectory(), 'key.pem'), join(newDirectory(), 'certificate.pem')]
  const words = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=${name} -addext subjectAltName=IP:127.0.0.1`
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', path], { stdio: 'pipe' })
  return { path, key: readFileSync(key, 'utf8'), cert: readFileSync(path, 'utf8') }
}

/** Answers the first word of a client, which asks for TLS, and passes on what it says in it. */
async function speaking(first: Speech, to: { readonly host: string; readonly port: number }) {
  let speech = first
  const open = new Set<Socket>()
  const port = await freePort()
  const door = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => undefined)
    client.once('data', () => {
      if (speech === 'no TLS') return void client.write('N')
      client.write('S')
      const inside = new TLSSocket(client, { isServer: true, key: speech.key, cert: speech.cert })
      const database = connect(to)
      inside.on('error', () => database.destroy()).on('close', () => database.destroy())
      database.on('error', () => client.destroy()).on('close', () => client.destroy())
      inside.pipe(database).pipe(inside)
    })
  }).listen(port, '127.0.0.1')
  await once(door, 'listening')
  const cut = (): void => open.forEach((client) => client.destroy())
  return {
    port,
    speaks: (next: Speech): void => {
      speech = next
      cut()
    },
    close: (): void => {
      door.close()
      cut()
    },
  }
}

const isPlayed = server !== '' && spawnSync('openssl', ['version']).status === 0

test.skipIf(!isPlayed)('it is waited for in words', { timeout: 3 * START_MS_MAX }, async () => {
  const [trusted, other] = [certificate('database'), certificate('somebody')]
  const [github, database] = [await aQuietGitHub(), await aDatabase()]
  const behind = new URL(database.url)
  const network = await speaking(other, { host: behind.hostname, port: Number(behind.port) })
  const port = await freePort()
  const address = new URL(`${behind.href}?sslmode=verify-full`)
  address.port = String(network.port)
  const env = { ...environmentOf(github), NODE_EXTRA_CA_CERTS: trusted.path, DATABASE_URL: address.href }
  const app = beganApp({ ...env, PORT: String(port) }, newDirectory())
  const one = { ...app, url: `http://127.0.0.1:${port}` }
  onTestFinished(async () => {
    await app.end('SIGKILL')
    network.close()
    await database.remove()
    await github.close()
  })
  const told = async (why: RegExp): Promise<void> =>
    until(async () => {
      if (app.code() !== null) throw new Error(`The App ended:\n${app.output()}`)
      const text = await fetch(`${one.url}/health`).then(
        (answer) => answer.text(),
        () => '',
      )
      return text.includes('the database does not answer') && why.test(text)
    }, START_MS_MAX)

  await told(/self-signed certificate/)
  network.speaks(trusted)
  await until(() => isReady(one), START_MS_MAX)
  for (const [speech, why] of [
    ['no TLS', /does not support SSL/],
    [other, /self-signed certificate/],
  ] as const) {
    network.speaks(speech)
    await told(why)
    const { body } = aPullRequest(github, speech === other ? 'other' : 'one')
    expect((await post(one.url, body, github.app.webhookSecret)).status).toBe(503)
    network.speaks(trusted)
    await until(() => isReady(one), START_MS_MAX)
    expect((await post(one.url, body, github.app.webhookSecret)).status).toBe(202)
  }
})
