// The names of the rubrics that come with Countersign, each with its least confidence. The rubrics are the verifier's.

export const builtInRubrics = { 'default-task': 0.7, 'frontend-design': 0.7 } as const
