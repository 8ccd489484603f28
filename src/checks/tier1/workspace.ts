// The files of one commit as tier 1 sees them, whether they lie on a disk or come as blobs through an API.
export type FileReading =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly size: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'submodule' }
  /** `why` where it is not its size that keeps it from being opened. */
  | { readonly kind: 'too_large'; readonly size: number; readonly why?: string }
  | { readonly kind: 'unavailable'; readonly why: string }

export type Workspace = {
  /** Never follows a link, in no part of the path. A folder is `missing`, a file above FILE_BYTES_MAX `too_large`. */
  readonly read: (path: string) => Promise<FileReading>
  /** The paths of all files, links and submodules of the commit. */
  readonly list: () => Promise<readonly string[]>
  /** Null when the source parses. Rejects when there is no interpreter to ask. */
  readonly parsePython?: ((source: string) => Promise<{ line: number; message: string } | null>) | undefined
}

/** Larger files are weighed but not opened. */
export const FILE_BYTES_MAX = 1024 * 1024
