// What stands around the App: the page that registers it, the files that it keeps, and whoever else is on the machine.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newDirectory, spawnApp } from '../../app/lab/spawned.ts'
import type { Case, Scene } from '../case.ts'

/** An App that nobody registered yet, as a stranger on the network finds it. Whether somebody owns it then. */
async function isOwned({ github }: Scene, act: (url: string) => Promise<void>): Promise<boolean> {
  const directory = newDirectory()
  const { url, end } = await spawnApp({ GITHUB_API_URL: github.url }, directory)
  try {
    await act(url)
    return existsSync(join(directory, '.env'))
  } finally {
    await end('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
}

const stateIn = (page: string): string => /state=(\w+)/.exec(page)?.[1] ?? ''

type Knock = readonly [string, (url: string) => Promise<void>]
const knocks: readonly Knock[] = [
  [
    'opens the page and confirms a code of his own',
    async (url) => {
      const state = stateIn(await (await fetch(`${url}/`)).text())
      await fetch(`${url}/registered?code=mine&state=${state}`)
    },
  ],
  ['confirms a code without a state', async (url) => void (await fetch(`${url}/registered?code=mine`))],
  ['confirms a code with an empty state', async (url) => void (await fetch(`${url}/registered?code=mine&state=`))],
  [
    'confirms a code by POST',
    async (url) => {
      const page = await (await fetch(`${url}/`, { method: 'POST' })).text()
      await fetch(`${url}/registered?code=mine&state=${stateIn(page)}`, { method: 'POST' })
    },
  ],
]

const registrations: readonly Case[] = knocks.map(([words, act]) => ({
  role: 'outsider',
  name: `the first visitor of an App without credentials ${words}`,
  play: async (scene) => {
    scene.must(!(await isOwned(scene, act)), 'nobody owns the App without the secret of its console')
  },
}))

const others = 0o077

export const machineCases: readonly Case[] = [
  ...registrations,
  {
    role: 'co-tenant',
    name: 'another account of the machine reads the data',
    play: async ({ app, must }) => {
      const data = join(app.directory, 'data')
      must((statSync(data).mode & others) === 0, 'the directory is closed to others')
      const open = readdirSync(app.directory).filter((name) => statSync(join(app.directory, name)).mode & others)
      must(open.length === 0, `nothing beside it is open to others: ${open.join(', ')}`)
    },
  },
]
