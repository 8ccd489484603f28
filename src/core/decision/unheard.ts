// What arrived and could not be taken in, by what it tells and under which name it came. It stands among the faults of the
// attempts that it is about, until it is taken in after all.

const begin = 'handling '
const end = (guid: string): string => ` (${guid})`

export const unheard = (kind: string, guid: string): string => `${begin}${kind.replaceAll('_', ' ')}${end(guid)}`

export const isUnheard = (doing: string): boolean => doing.startsWith(begin)
