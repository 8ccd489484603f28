// The stages of one attempt as data, and where each can lead. A verification node has three ways out, each exactly once:
// accepted, made again, or handed to a human. A pipeline without one of them would have a verdict that nobody acts on.

export type WorkflowNodeType = 'CONDITIONAL' | 'VERIFICATION'
export type EdgeType = 'PASS' | 'FAIL' | 'VERIFICATION_PASS' | 'VERIFICATION_FAIL' | 'VERIFICATION_REFER'
export type Edge = { readonly type: EdgeType; readonly to: string }
export type PipelineNode = { readonly name: string; readonly type: WorkflowNodeType; readonly edges: readonly Edge[] }

const step = (name: string, next: string, otherwise: string): PipelineNode => ({
  name,
  type: 'CONDITIONAL',
  edges: [
    { type: 'PASS', to: next },
    { type: 'FAIL', to: otherwise },
  ],
})
const judged = (name: string, next: string): PipelineNode => ({
  name,
  type: 'VERIFICATION',
  edges: [
    { type: 'VERIFICATION_PASS', to: next },
    { type: 'VERIFICATION_FAIL', to: 'retry' },
    { type: 'VERIFICATION_REFER', to: 'refer' },
  ],
})

export const pipeline: readonly PipelineNode[] = [
  step('scope', 'tier1', 'failed'),
  step('tier1', 'checks', 'retry'),
  step('checks', 'verifier', 'retry'),
  judged('verifier', 'votes'),
  judged('votes', 'review'),
  step('review', 'red_team', 'refer'),
  judged('red_team', 'vision'),
  judged('vision', 'verification'),
  step('verification', 'success', 'refer'),
]

const exits: readonly EdgeType[] = ['VERIFICATION_PASS', 'VERIFICATION_FAIL', 'VERIFICATION_REFER']

/** Throws with the name of the way out that is missing or doubled: the process does not start with such a pipeline. */
export function checkPipeline(nodes: readonly PipelineNode[]): void {
  for (const { name, type, edges } of nodes) {
    for (const exit of exits) {
      const count = edges.filter((edge) => edge.type === exit).length
      const wanted = type === 'VERIFICATION' ? 1 : 0
      if (count !== wanted) throw new Error(`The stage ${name} has ${count} edges ${exit}; it needs ${wanted}`)
    }
  }
}
