// What is known of a change before anybody is asked: answers on record, what it is a change to, and what a program finds in
// it by itself.
import { digest } from '../../../core/canonical.ts'
import { Ended } from '../../../core/chain.ts'
import type { Hit } from '../../../verifier/change/change.ts'
import { checkOutputs } from '../../../verifier/asking/prompt.ts'
import { promptRelease } from '../../../verifier/asking/release.ts'
import { rubricOf } from '../../../verifier/asking/rubric.ts'
import { speaksAnywhere } from '../../../verifier/change/addressed.ts'
import type { Call } from '../asking/asking.ts'
import type { Subject } from '../conclusion.ts'
import { answersOn } from '../recorded.ts'
import type { Undertaking, VerifierStep } from './step.ts'

/** Whoever comes back after a crash, or after a rebase, pays for no answer twice. */
export const checkpointResume: VerifierStep = {
  name: 'checkpoint_resume',
  beforeAgent: ({ subject, events, now, ...rest }) => {
    const past = { ...subject.past, known: answersOn(events, now) }
    return { ...rest, events, now, subject: { ...subject, past } }
  },
}

/** What was judged, so that nobody can say later that it was something else. */
export const delegationChainHash: VerifierStep = {
  name: 'delegation_chain_hash',
  beforeAgent: ({ subject, ...rest }) => {
    const { contract } = subject.attempt
    const hashes = {
      contract: contract.contract_hash,
      policy: contract.policy_hash,
      rubric: digest(rubricOf(contract.policy)),
      patch: subject.packed.fingerprint,
      release: promptRelease,
    }
    return { ...rest, subject: { ...subject, hashes } }
  },
}

/** Words of rank in the change are noted and move nothing. */
export const authorityDeference: VerifierStep = {
  name: 'authority_deference',
  beforeAgent: ({ subject, found, ...rest }) => ({
    ...rest,
    found,
    subject: { ...subject, happened: [...subject.happened, ...(found?.ranked.change ?? [])] },
  }),
}

const NAMED_MAX = 20

/** What nobody could read as it stands is no longer hidden: it is named, and what hides is not passed. */
export const sanitizeMessage: VerifierStep = {
  name: 'sanitize_message',
  beforeAgent: ({ subject, found, ...rest }) => {
    if (found === null) return new Ended({ kind: 'refer', reason: 'too_large', detail: null })
    const { verifier } = subject.attempt.contract.policy.verification
    const isUseless = found.hidden.some(({ useless }) => useless)
    const remarks = found.hidden.slice(0, NAMED_MAX).map(({ place, sign }) => `hidden_unicode: ${place} has ${sign}.`)
    return {
      ...rest,
      found,
      subject: {
        ...withHits(subject, found.hits, ['hidden_text']),
        hiddenText: verifier.hidden_text === 'refer' && isUseless,
        remarks: [...subject.remarks, ...remarks],
      },
    }
  },
}

/** Secrets, and text that speaks to whoever reviews it, are found before anybody can be told them; ours leave in no request. */
export const securityInterceptor: VerifierStep = {
  name: 'security_interceptor',
  beforeAgent: ({ subject, found, ...rest }: Undertaking) => {
    const hits = found?.hits ?? []
    const secrets = hits.filter(({ kind }) => kind === 'secret')
    const addressed = hits.filter(({ kind }) => kind === 'addressed')
    const speaking = [...(found?.speaking ?? []), ...printed(subject)]
    const remarks = [
      ...secrets.slice(0, NAMED_MAX).map(({ path, line }) => `${path}:${line} looks as if it held a secret.`),
      ...addressed.slice(0, NAMED_MAX).map(({ path, line }) => `${path}:${line} has text that addresses its reviewer.`),
      ...speaking.map((what) => `${what} addresses a reviewer.`),
    ]
    return {
      ...rest,
      found,
      subject: {
        ...withHits(subject, hits, ['secret', 'addressed']),
        secret: secrets.length > 0,
        remarks: [...subject.remarks, ...remarks],
      },
    }
  },
  beforeModel: (call) => ({ ...call, request: withoutOwn(call) }),
}

function withoutOwn({ asking, request }: Call): Call['request'] {
  const cleaned = <B extends { readonly text: string }>(blocks: readonly B[]): B[] =>
    blocks.map((block) => ({ ...block, text: asking.own(block.text) }))
  return { ...request, system: cleaned(request.system), content: cleaned(request.content) }
}

function withHits(subject: Subject, hits: readonly Hit[], kinds: readonly Hit['kind'][]): Subject {
  const more = hits.filter(({ kind }) => kinds.includes(kind))
  return { ...subject, change: { ...subject.change, hits: [...subject.change.hits, ...more] } }
}

/** Checks that printed it; as much is read as is shown. */
const printed = ({ attempt, redact }: Subject): string[] =>
  checkOutputs(attempt, redact)
    .filter(({ text }) => speaksAnywhere(text))
    .map(({ name }) => `What the check ${JSON.stringify(name)} printed`)
