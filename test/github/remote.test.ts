// This GitHub as a process of its own, steered over HTTP.
import { expect, onTestFinished, test } from 'vitest'
import { Octokit } from '@octokit/rest'
import { anEar } from './ear.ts'
import { spawnGitHub } from './remote.ts'
import { quiet, shop } from './setting.ts'

test('a process of its own is steered with the same verbs', async () => {
  const ear = await anEar('hush')
  const github = await spawnGitHub({ app: { slug: 'gate', webhookUrl: ear.url, webhookSecret: 'hush' } })
  onTestFinished(async () => {
    await github.close()
    ear.close()
  })
  await github.createRepo('acme/shop')
  await github.install('acme')
  await github.push('acme/shop', 'feature', { files: { a: '1' }, author: 'ada' })
  const number = await github.openPull('acme/shop', { title: 'One', head: 'feature', by: 'ada' })
  await github.idle()
  expect(ear.heard.at(-1)).toMatchObject({ event: 'pull_request', action: 'opened', signed: true })
  const octokit = new Octokit({ baseUrl: github.url, auth: await github.tokenOf('ada'), log: quiet })
  expect((await octokit.rest.pulls.get({ ...shop, pull_number: number })).data.title).toBe('One')
  const run = await github.startRun('acme/shop', { head: 'feature' })
  await github.uploadArtifact('acme/shop', run, 'results', Buffer.from('PK').toString('base64'))
  const { data } = await octokit.rest.actions.listWorkflowRunArtifacts({ ...shop, run_id: run })
  expect(data.artifacts.map(({ size_in_bytes }) => size_in_bytes)).toEqual([2])
  await expect(github.merge('acme/shop', 99, { by: 'ada' })).rejects.toThrow('merge was refused: Not Found')
})
