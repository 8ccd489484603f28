// What arrived and could not be taken in, by what it tells and under which name it came. It stands among the faults of the
// attempts that it is about, until it is taken in after all.
import { speechKinds } from '../news.ts'

const begin = 'handling '
const end = (guid: string): string => ` (${guid})`
const told = (kind: string): string => `${begin}${kind.replaceAll('_', ' ')}`

export const unheard = (kind: string, guid: string): string => `${told(kind)}${end(guid)}`

export const isUnheard = (doing: string): boolean => doing.startsWith(begin)

/** Somebody said it, and it may be a no. */
export const isUnheardWord = (doing: string): boolean =>
  speechKinds.some((kind) => doing.startsWith(`${told(kind)} `)) && !isUnheardElsewhere(doing)

/** The same as it stands at whoever has the tree about which it was said. */
export const unheardElsewhere = (doing: string, pull: number): string => `${doing} at #${pull}`

export const isUnheardElsewhere = (doing: string): boolean => isUnheard(doing) && / at #\d+$/.test(doing)
