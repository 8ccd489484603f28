// The log of tool calls that a workflow may hand over: a JSON file in the checkout, written by whoever made the change.
// Nobody vouches for it, so it can only make tier 1 fail, and so does one that cannot be read.
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ToolCallRecord } from '../src/checks/tier1/tier1.ts'
import { readRegularFile } from '../src/checks/read-file.ts'
import { jsonIn } from '../src/core/json.ts'
import { runWords } from '../src/core/words/run/run-words.ts'

const BYTES_MAX = 8 * 1024 * 1024
const records = z.array(
  z.object({
    tool: z.string().max(200),
    result: z.object({
      success: z.boolean(),
      error: z
        .string()
        .nullish()
        .transform((error) => error ?? null),
      files_changed: z.array(z.string()).default([]),
    }),
  }),
)

export async function readToolCalls(path: string, root: string): Promise<readonly ToolCallRecord[]> {
  if (path === '') return []
  try {
    const { bytes } = await readRegularFile(resolve(root, path), BYTES_MAX)
    return records.parse(jsonIn(bytes.toString('utf8')))
  } catch (error) {
    // Words that quote nothing of it: a link may have led to any file of the runner.
    const why = error instanceof z.ZodError ? 'it is no list of tool calls' : wordsOf(error)
    const words = runWords.toolCallsUnread(why)
    return [{ tool: 'log', result: { success: false, error: words, files_changed: [] } }]
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
