// A write of a check run that was cut off: GitHub may have taken it, or may take it later. What GitHub refused, and what was
// never sent, is certain.
import { NotInstalled } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { statusOf } from '../status.ts'
import { RateLimited } from '../traffic/pacing.ts'

export async function vouched<T>(
  { onDoubt }: Pick<Access, 'onDoubt'>,
  sha: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isCertain(error)) onDoubt?.(sha)
    throw error
  }
}

const isCertain = (error: unknown): boolean =>
  error instanceof RateLimited || error instanceof NotInstalled || (statusOf(error) ?? 500) < 500
