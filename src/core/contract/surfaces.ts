// Where an attack on a change looks.
export const surfaces = ['correctness', 'security', 'requirements', 'grounding'] as const
export type Surface = (typeof surfaces)[number]
