// A commit as a tar archive, as `git archive` writes it: the commit in a global header, everything in one folder, names that
// are too long in a header of their own.
import { blobOf, filesAt, type Mode, type ObjectStore } from './objects.ts'

export type TarMember = {
  readonly path: string
  readonly content: Uint8Array
  readonly type?: string
  readonly link?: string
  /** What the header says; by default the truth. */
  readonly size?: number
}

export function archiveOf(store: ObjectStore, sha: string, folder: string): Buffer {
  const files = [...filesAt(store, sha)].filter(([, { mode }]) => mode !== '160000')
  const members = files.map(([path, { mode, sha: blob }]) => memberOf(`${folder}/${path}`, mode, blobOf(store, blob)))
  return tarOf([{ path: `${folder}/`, content: Buffer.alloc(0), type: '5' }, ...members], sha)
}

const memberOf = (path: string, mode: Mode, content: Buffer): TarMember =>
  mode === '120000' ? { path, content: Buffer.alloc(0), type: '2', link: content.toString('utf8') } : { path, content }

export function tarOf(members: readonly TarMember[], comment: string | null = null): Buffer {
  const global = comment === null ? [] : entry({ path: 'pax_global_header', content: records({ comment }), type: 'g' })
  return Buffer.concat([...global, ...members.flatMap(entry), Buffer.alloc(1024)])
}

function entry(member: TarMember): Buffer[] {
  const { path, content } = member
  const long = Buffer.byteLength(path) > 100
  const above = long ? entry({ path: 'pax', content: records({ path }), type: 'x' }) : []
  return [...above, header(long ? { ...member, path: path.slice(0, 50) } : member), padded(content)]
}

function header({ path, content, type = '0', link = '', size = content.length }: TarMember): Buffer {
  const block = Buffer.alloc(512)
  const put = (text: string, at: number): void => void block.write(text, at, 'utf8')
  put(path, 0)
  for (const [index, octal] of ['0000644', '0000000', '0000000'].entries()) put(`${octal}\0`, 100 + index * 8)
  put(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        ${type}${link}`, 124)
  put('ustar\u000000', 257)
  put(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return block
}

const padded = (content: Uint8Array): Buffer =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)])

function records(given: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(given).map(([key, value]) => {
      const rest = ` ${key}=${value}\n`
      const bytes = Buffer.byteLength(rest)
      const short = bytes + String(bytes).length
      return Buffer.from(`${bytes + String(short).length}${rest}`)
    }),
  )
}
