// What a look at many pages costs at list price, as it is reckoned before the model is asked.
import { redactor } from '../../src/verifier/asking/clean.ts'
import { dollarsExpected } from '../../src/verifier/calls/money.ts'
import { viewRequest, type Shown } from '../../src/verifier/vision/request.ts'
import { aContract, attemptFor } from '../verifier/lab.ts'
import { shotOf } from './pictures.ts'

export function aLook(pages: number, size: { readonly width: number; readonly height: number }): number {
  const shown = Array.from({ length: pages }, (_, nth): Shown => {
    const { named: shot } = shotOf(`page ${nth}`, Buffer.from('picture'))
    return { shot, kind: 'seen', measured: [], png: Buffer.from('picture'), ...size }
  })
  const attempt = attemptFor(aContract({ policy: { security: { vision: { enabled: true, kind: 'llm_vision' } } } }))
  const { model } = attempt.contract.policy.verification.verifier
  const request = viewRequest(
    attempt,
    shown,
    { redact: redactor([]), keyed: (text) => text },
    { nonce: 'n', model, remarks: [] },
  )
  return dollarsExpected(request, { cached: false, prices: {} })
}
