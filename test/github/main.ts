// This GitHub as a process of its own: prints one line of JSON that says where it listens and what its App's key is,
// and ends when its input closes. Options come as JSON in the first argument; `remote.ts` is the way to steer it.
import { startGitHub, type Options } from './github.ts'

const options: Options = JSON.parse(process.argv[2] ?? '{}')
const github = await startGitHub(options)
process.stdout.write(`${JSON.stringify({ url: github.url, app: github.app })}\n`)
process.stdin.resume()
process.stdin.on('end', () => {
  void github.close().then(() => process.exit(0))
})
