// Which addresses of this App are taken, and where GitHub's pages are when its API is somewhere.
import { describe, expect, test } from 'vitest'
import { addressIn } from '../../../src/entry/app/registration/address.ts'
import { pagesOf } from '../../../src/entry/github-host.ts'
import { readSettings } from '../../../src/entry/wire.ts'

test.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://API.GitHub.com', 'https://github.com'],
  ['https://api.acme.ghe.com', 'https://acme.ghe.com'],
  ['https://github.acme.com/api/v3', 'https://github.acme.com'],
  ['https://github.acme.com:8443/api/v3', 'https://github.acme.com:8443'],
  ['https://api.acme.com/api/v3', 'https://api.acme.com'],
  ['https://api.github.com.evil.example', 'https://api.github.com.evil.example'],
  ['https://api.a.b.ghe.com', 'https://api.a.b.ghe.com'],
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001'],
])('the pages of %s are %s', (api, pages) => {
  expect(pagesOf(readSettings({ GITHUB_API_URL: api }).apiUrl)).toBe(pages)
})

test.each([
  ['https://github.com', 'https://api.github.com'],
  ['https://github.com/acme', 'https://api.github.com'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
])('%s is where people meet GitHub; the API is said to be %s', (pages, api) => {
  expect(() => readSettings({ GITHUB_API_URL: pages })).toThrow(`GITHUB_API_URL must be the address of the API: ${api}`)
})

test.each(['ftp://github.acme.com', 'https://me:secret@github.acme.com/api/v3', 'file:///etc/passwd'])(
  '%s is no API',
  (url) => {
    expect(() => readSettings({ GITHUB_API_URL: url })).toThrow(/^GITHUB_API_URL must be a URL/)
  },
)

describe('an address of this App', () => {
  test.each([
    ['https://gate.acme.com', 'https://gate.acme.com'],
    [' https://gate.acme.com/ ', 'https://gate.acme.com'],
    ['https://gate.acme.com:8443/countersign/', 'https://gate.acme.com:8443/countersign'],
    ['https://8.8.8.8', 'https://8.8.8.8'],
    ['https://[2606:4700::1]', 'https://[2606:4700::1]'],
  ])('%j is public', (text, url) => {
    expect(addressIn(text)).toMatchObject({ kind: 'address', url, isPrivate: false })
  })

  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.9.9.9',
    'http://2130706433',
    'http://[::1]:3000',
    'http://gate.localhost',
    'https://gate',
    'https://gate.local',
    'https://gate.internal.',
    'https://gate.corp',
    'https://10.1.2.3',
    'https://172.31.0.1',
    'https://192.168.0.1',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://[::ffff:10.0.0.1]',
  ])('%s is private', (text) => {
    expect(addressIn(text)).toMatchObject({ kind: 'address', isPrivate: true })
  })

  test.each([
    '',
    'gate.acme.com',
    'http://gate.acme.com',
    'http://10.0.0.1',
    'http://0.0.0.0:3000',
    'http://localhost.acme.com',
    'http://127.0.0.1.acme.com',
    'javascript:alert(1)',
    'https://me@gate.acme.com',
    'https://gate.acme.com?next=there',
    'https://gate.acme.com/#there',
    `https://gate.acme.com/${'a'.repeat(1_000)}`,
  ])('%s is refused', (text) => {
    expect(addressIn(text)).toMatchObject({ kind: 'refused' })
  })
})
