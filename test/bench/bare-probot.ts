// What the door is compared with: Probot as it starts itself, which verifies each webhook and hands it to a listener that does
// nothing and stores nothing. Reads its settings from the environment, as every Probot does, and ends with its standard input.
import { run } from 'probot'

await run((app) => app.on('check_run', () => {}))
process.stdin.on('end', () => process.exit(0)).resume()
