// Whether a key is taken and a model is known, without asking it anything. What no answer came to stays open.
// https://docs.anthropic.com/en/api/models
const ANSWER_MS_MAX = 20_000

export type KnownModel = 'known' | 'no such model' | 'key refused' | { readonly open: string }

export async function knownModel(
  { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
  model: string,
): Promise<KnownModel> {
  const headers = { authorization: `Bearer ${apiKey}`, 'anthropic-version': '2023-06-01' }
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  try {
    const { ok, status } = await fetch(`${baseUrl}/v1/models/${encodeURIComponent(model)}`, { headers, signal })
    if (ok) return 'known'
    if (status === 401 || status === 403) return 'key refused'
    return status === 404 ? 'no such model' : { open: `it answers ${status}` }
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: null }
    return { open: cause instanceof Error ? cause.message : String(error) }
  }
}
