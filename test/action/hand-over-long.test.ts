// The bundled Action as a process: what it says and hands over, and that trouble of its own is no judgement.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

describe('what is handed over', () => {
  test('Python is parsed by the interpreter, and nothing of it is run', async () => {
    const change = {
      'good.py': 'import sys\nsys.exit(3)\n',
      'bad "one".py': 'def f():\n    return (\n',
      'deep.py': `${'('.repeat(5_000)}${')'.repeat(5_000)}\n`,
    }
    const stage = await aStage({ change })
    const run = await stage.run()
    const failed = (run.results().tier1?.checks ?? []).filter(({ passed }) => !passed)
    expect(failed.map(({ name }) => name)).toContain('syntax_bad "one".py')
    // Had it been run, there would be no interpreter left to say so.
    expect(run.results().tier1?.checks).toContainEqual({ name: 'syntax_good.py', passed: true, detail: null })
    expect(run.log).toMatch(/file=bad "one"\.py,line=2::/)
  })

  test('screenshots and the log of tool calls', async () => {
    const stage = await aStage({ change: { 'shots/a.png': 'image', 'shots/b.txt': 'no image', 'src/a.ts': 'a\n' } })
    const calls = [{ tool: 'edit', result: { success: false, error: 'no such file', files_changed: [] } }]
    writeFileSync(`${stage.workspace}/.git/calls.json`, JSON.stringify(calls))
    const run = await stage.run({
      inputs: { screenshots: 'shots\n../elsewhere', tool_calls: '.git/calls.json', worker_exit_code: '3' },
    })
    expect([...run.files.keys()]).toContain('screenshots/001-a.png')
    expect(run.results().screenshots).toEqual([
      {
        page: 'a',
        path: 'screenshots/001-a.png',
        bytes: 5,
        sha256: createHash('sha256').update('image').digest('hex'),
        media_type: 'application/octet-stream',
      },
    ])
    const failed = (run.results().tier1?.checks ?? []).filter(({ passed }) => !passed)
    expect(failed.map(({ name, detail }) => [name, detail])).toEqual([
      ['tool_edit_success', 'no such file'],
      ['return_code', 'The return code was 3.'],
    ])
    expect(run.results().warnings).toEqual([expect.stringContaining('2 screenshots were left out')])
  })

  test('an upload that fails is no failed check', async () => {
    const stage = await aStage()
    stage.artifacts.refuse('not today')
    const run = await stage.run()
    expect(run.code).toBe(0)
    expect(run.outputs['passed']).toBe('true')
    expect(run.log).toMatch(
      /::warning title=Countersign::The results could not be uploaded.*What this job says of the change stands.*not today/,
    )
  })

  test('a run that is repeated replaces what it handed over before', async () => {
    const stage = await aStage()
    await stage.run()
    const again = await stage.run({ env: { GITHUB_RUN_ATTEMPT: '3' } })
    expect([again.code, again.results().run.attempt]).toEqual([0, 3])
    expect(stage.artifacts.uploads).toHaveLength(2)
  })

  test('a service that is away for a moment is waited for', async () => {
    const stage = await aStage()
    stage.artifacts.failNext(2)
    const run = await stage.run()
    expect([run.code, run.results().run.attempt]).toEqual([0, 2])
    expect(run.log).toContain(
      'make room for the archive, and it could not be reached (UND_ERR_SOCKET). Once more in 3 s.',
    )
    expect(run.log).toContain('make room for the archive, and it answered 503. Once more in 5 s.')
  })

  test('an Enterprise Server takes no artifact, and it says what to do instead', async () => {
    const run = await (await aStage()).run({ env: { GITHUB_SERVER_URL: 'https://github.example.com' } })
    expect(run.code).toBe(0)
    expect(run.log).toContain('::warning title=Countersign::This GitHub Enterprise Server does not take artifacts')
  })

  test('trouble of its own is no judgement', async () => {
    const stage = await aStage()
    await stage.github.close()
    const run = await stage.run({ env: { GITHUB_API_URL: 'http://127.0.0.1:9' } })
    expect(run.code).toBe(1)
    expect(run.log).toContain('::error::Countersign could not do its work. This says nothing about the change')
  })

  test('the page and the places, the worst first and no more than GitHub takes', async () => {
    const base = { 'src/a.ts': 'const a: string = 1\n', 'report.xml': '<x/>\n' }
    const lines = Array.from({ length: 14 }, (_, at) => `src/a.ts(${at + 1},7): error TS2322: Type ${at}.`).join('\n')
    const junit =
      '<testsuite><testcase name="adds" file="src/a.ts" line="3"><failure message="1 &lt; 2"/></testcase></testsuite>'
    const policy = policyWith({
      types: runs(`printf '%s\\n' "${lines}"; exit 2`),
      unit: runs(`echo '${junit}' > report.xml; exit 1`, 'report: { junit: report.xml }, required: false'),
    })
    const run = await (await aStage({ policy, base })).run()
    const errors = run.log.match(/^::error title=.*$/gm) ?? []
    expect(errors).toHaveLength(10)
    expect(errors[0]).toBe('::error title=Countersign%3A types,file=src/a.ts,line=1,col=7::TS2322: Type 0.')
    expect(run.log).toContain('::warning title=Countersign%3A unit,file=src/a.ts,line=3::adds failed: 1 < 2')
    expect(run.summary.replaceAll(/\d+\.\d s/g, 'T s').replaceAll(/[0-9a-f]{7}\b/g, 'SHA')).toMatchInlineSnapshot(`
      "### ❌ Countersign: \`types\` failed with exit code 2

      | | check | | time |
      |---|---|---|---|
      | ✅ | built-in checks | 1 built-in check passed |  |
      | ❌ | \`types\` | failed with exit code 2 | T s |
      | ⚠️ | \`unit\` (informs only) | failed with exit code 1 | T s |

      <details><summary>Output of <code>types</code>, which failed with exit code 2</summary>

      \`\`\`text
      src/a.ts(1,7): error TS2322: Type 0.
      src/a.ts(2,7): error TS2322: Type 1.
      src/a.ts(3,7): error TS2322: Type 2.
      src/a.ts(4,7): error TS2322: Type 3.
      src/a.ts(5,7): error TS2322: Type 4.
      src/a.ts(6,7): error TS2322: Type 5.
      src/a.ts(7,7): error TS2322: Type 6.
      src/a.ts(8,7): error TS2322: Type 7.
      src/a.ts(9,7): error TS2322: Type 8.
      src/a.ts(10,7): error TS2322: Type 9.
      src/a.ts(11,7): error TS2322: Type 10.
      src/a.ts(12,7): error TS2322: Type 11.
      src/a.ts(13,7): error TS2322: Type 12.
      src/a.ts(14,7): error TS2322: Type 13.
      \`\`\`

      </details>

      <sub>Judged: SHA. The whole logs are in the artifact of this run.</sub>
      "
    `)
    expect(run.outputs['retry_context']).toMatch(
      /^Previous attempt failed verification: `types` failed with exit code 2\./,
    )
    expect(run.outputs['retry_context']).toContain(
      '### The change that was judged\n\n```diff\n--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+export const a = 1\n```',
    )
    const fields = ['name', 'passed', 'exit_code', 'output', 'duration_ms', 'required']
    const outputs: unknown[] = JSON.parse(run.outputs['results'] ?? '')
    expect(outputs.map((one) => Object.keys(one ?? {}))).toEqual([fields, fields])
  })
})
