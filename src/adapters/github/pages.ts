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
