// Verifies the record as it lies in the store: every stream's chain, link by link.
// It reads the stored form, since that is what the hashes were taken over.
import { type BrokenLink, type Link, verifyChain } from '../../core/decision/record/chain.ts'
import { isLink } from '../../core/decision/record/upcast.ts'
import type { Store } from '../../ports.ts'
import { isArchiveTrouble } from './archive.ts'

export type Audit = { readonly streams: number; readonly broken: readonly BrokenLink[] }

const pageStreamsMax = 500

/** Verifies all streams and names the first broken link of each that has one. */
export async function verifyAll(store: Store): Promise<Audit> {
  const broken: BrokenLink[] = []
  let streams = 0
  for (let page = await store.streams('', pageStreamsMax); page.length > 0;) {
    for (const stream of page) {
      const link = await verifyStream(store, stream)
      if (link !== null) broken.push(link)
    }
    streams += page.length
    page = await store.streams(page.at(-1) ?? '', pageStreamsMax)
  }
  return { streams, broken }
}

export async function verifyStream(store: Store, stream: string): Promise<BrokenLink | null> {
  const links: Link[] = []
  const raw = await rawOf(store, stream)
  if (raw instanceof Error) return at(stream, links, raw.message)
  for (const stored of raw) {
    if (!isLink(stored)) return verifyChain(links) ?? at(stream, links, whyNone(stored))
    if (stored.stream !== stream) return verifyChain(links) ?? at(stream, links, `it belongs to ${stored.stream}`)
    links.push(stored)
  }
  return verifyChain(links)
}

const whyNone = (stored: unknown): string =>
  stored instanceof Error ? stored.message : 'it can no longer be read as an event'

/** A file of the archive that is gone or damaged breaks the streams in it, and keeps nobody from reading the others. */
async function rawOf(store: Store, stream: string): Promise<readonly unknown[] | Error> {
  try {
    return await store.readRaw(stream)
  } catch (error) {
    if (isArchiveTrouble(error)) return error
    throw error
  }
}

const at = (stream: string, before: readonly Link[], why: string): BrokenLink => ({
  stream,
  version: before.length + 1,
  why,
})
