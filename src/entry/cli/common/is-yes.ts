// Asks a question before something is done. Where nobody can answer, nobody says yes.
import { createInterface } from 'node:readline/promises'
import type { Io } from './cli-command.ts'

export async function isYes(question: string, io: Io): Promise<boolean> {
  io.out('')
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  const answered = asking.question(question)
  const closed = new Promise<string>((done) => void asking.once('close', () => done('')))
  const answer = await Promise.race([answered, closed])
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
