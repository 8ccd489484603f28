// The client that the App gives to Probot. Probot's own pacing lets one write a second through, and one comment in
// three, and its retries repeat a POST whose first try may have succeeded; both are off, and our own traffic rules
// are on. It has a file of its own because loading Probot is slow for a command that only needs a token.
import { ProbotOctokit } from 'probot'
import { joinTraffic, type Traffic } from './client.ts'

type Options = NonNullable<ConstructorParameters<typeof ProbotOctokit>[0]>

export function countersignOctokit(traffic: Traffic): typeof ProbotOctokit {
  return ProbotOctokit.plugin((octokit, options) => joinTraffic(traffic, octokit, options)).defaults(
    // A plain object would be overwritten by Probot's defaults; a function has the last word.
    (options: Options) => ({
      ...options,
      throttle: { ...options['throttle'], enabled: false },
      retry: { enabled: false },
    }),
  )
}
