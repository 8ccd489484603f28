// A process that takes the lock of a directory as soon as its input says so, and keeps it until its input ends.
// Run as: node test/store/locker.ts <directory>
import { lockDirectory } from '../../src/adapters/store/embedded/lock.ts'

process.stdout.write('ready\n')
process.stdin.once('data', () => {
  lockDirectory(process.argv[2] ?? '').then(
    () => process.stdout.write('held\n'),
    (error: unknown) => process.stdout.write(`${error instanceof Error ? error.name : 'refused'}\n`),
  )
})
process.stdin.resume()
