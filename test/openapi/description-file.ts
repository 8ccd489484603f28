/** Cut from GitHub's published description by `cut.ts`. */
export const descriptionFile = new URL('api.github.com.json', import.meta.url)
