// Lists that GitHub gives a page at a time.

export const PER_PAGE = 100

/** Everything up to the first page that is not full, or as much as so many pages hold. */
export async function allPages<T>(pagesMax: number, ask: (page: number) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const rows = await ask(page)
    all.push(...rows)
    if (rows.length < PER_PAGE) break
  }
  return all
}

type Page = { readonly data: readonly unknown[]; readonly headers: { readonly link?: string | undefined } }

/** Of a list that begins with the oldest: the newest that so many pages hold, and whether older ones are left out. */
export async function newestPages(
  pagesMax: number,
  ask: (page: number) => Promise<Page>,
): Promise<{ readonly rows: readonly unknown[]; readonly cut: boolean }> {
  const { data, headers } = await ask(1)
  const last = Number(/[?&]page=(\d+)[^>]*>; rel="last"/.exec(headers.link ?? '')?.[1] ?? 1)
  const from = Math.max(1, last - pagesMax + 1)
  const rows = from === 1 ? [...data] : []
  for (let page = Math.max(2, from); page <= last; page += 1) rows.push(...(await ask(page)).data)
  return { rows, cut: from > 1 }
}
