// `npm run pictures`: shows each page to a real browser, in light and in dark, and keeps what it drew. The browser is
// Chromium as the system has it; it is no package of ours, since nothing else needs it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileOf, folder, pages, schemes, sourcesFile, sourcesNow, type Scheme } from './pictures.ts'

const WIDTH = 760
const DRAW_MS_MAX = 60_000
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const browser = names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
if (browser === undefined) {
  console.error(
    `pictures: none of ${names.join(', ')} is installed. On Debian: apt-get install chromium. ` +
      'The tests need none: they hold the pictures against what they were drawn from.',
  )
  process.exit(2)
}

const scratch = mkdtempSync(join(tmpdir(), 'countersign-pictures-'))
try {
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of Object.entries(pages)) for (const scheme of schemes) draw(browser, name, page(), scheme)
  writeFileSync(sourcesFile, `${JSON.stringify(sourcesNow(), null, 2)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function draw(program: string, name: string, html: string, scheme: Scheme): void {
  const file = fileOf(name, scheme)
  const height = heightOf(program, html)
  show(program, html, [`--screenshot=${file}`, `--window-size=${WIDTH},${height}`, ...inScheme(scheme)])
  console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} kB, ${WIDTH} x ${height}`)
}

/** The page says itself how high it is, and stands in a window of that height. */
function heightOf(program: string, html: string): number {
  const asking =
    '<script>document.title = `height ${Math.ceil(document.documentElement.getBoundingClientRect().bottom)}`</script>'
  const dumped = show(program, `${html}${asking}`, ['--dump-dom', `--window-size=${WIDTH},600`])
  return Number(/<title>height (\d+)<\/title>/.exec(dumped)?.[1] ?? 1200)
}

function inScheme(scheme: Scheme): readonly string[] {
  return [`--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`]
}

function show(program: string, html: string, args: readonly string[]): string {
  const file = join(scratch, 'page.html')
  writeFileSync(file, html)
  const quiet = ['--headless', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=2']
  // Its own fence needs another user than root. It is shown nothing but pages of ours.
  if (process.getuid?.() === 0) quiet.push('--no-sandbox')
  const profile = `--user-data-dir=${join(scratch, 'profile')}`
  const all = [...quiet, profile, ...args, pathToFileURL(file).href]
  return execFileSync(program, all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: DRAW_MS_MAX })
}
