// A number with its noun, as people say it.
export const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
