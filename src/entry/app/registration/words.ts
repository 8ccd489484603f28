// What the pages of the registration say.
import { html, type Html, type Page } from './page.ts'
import type { Worked } from './worked.ts'
import type { Given, Wish } from './wish.ts'

type Headers = Readonly<Record<string, string>>

const look = html`<p>
  The registration is open to whoever can read the console of this process: open the address that it printed when it
  started. Begun there and not ended? Begin there again.
</p>`

const denials = {
  400: 'GitHub sent no code',
  403: 'Not from here',
  404: 'There is nothing here',
  409: 'The App is just being registered',
} as const

export const deniedPage = (status: keyof typeof denials): Page => ({ status, title: denials[status], body: look })

export const gonePage: Page = {
  status: 410,
  title: 'The App is registered',
  body: html`<p>Stop this process and start it again.</p>`,
}

export const failedPage = (why: string): Page => ({
  status: 500,
  title: 'Registration failed',
  body: html`<p>${why}</p>
    ${look}`,
})

export function askedPage(status: 200 | 422, token: string, given: Given, why = ''): Page {
  const body = html`${why === '' ? '' : html`<p><strong>${why}</strong></p>`}
    <p>
      This creates a GitHub App of your own with the permissions that Countersign needs, and nothing more: it never
      merges and never pushes.
    </p>
    <form action="?" method="post">
      <input type="hidden" name="token" value="${token}" />
      <label
        >Address under which GitHub reaches this App
        <input name="address" value="${given.address}" placeholder="https://countersign.example.com" required />
      </label>
      <label
        >Address under which your browser reaches this page
        <input name="back" value="${given.back}" placeholder="as above" />
      </label>
      <label
        >Organisation that is to own the App; empty for your own account
        <input name="organization" value="${given.organization}" />
      </label>
      <p>The App is private: it can be installed only on the account that owns it.</p>
      <button>Next</button>
    </form>`
  return { status, title: 'Register Countersign', body }
}

type Confirmed = Wish & { readonly pages: string; readonly state: string; readonly manifest: string }

export function confirmPage(wish: Confirmed, headers: Headers): Page {
  const { address, back, organization, privateHost, pages, state, manifest } = wish
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
  const action = `${pages}${owner}/settings/apps/new?state=${state}`
  const warning =
    privateHost === null
      ? ''
      : html`<p>
          <strong>${privateHost} is a private name.</strong> Unless ${new URL(pages).host} can reach it, no webhook will
          arrive; GitHub may refuse it.
        </p>`
  const body = html`${warning}
    <p>GitHub will send webhooks to <code>${address}/api/github/webhooks</code>.</p>
    <p>Then it sends you back to <code>${back}/registered</code>.</p>
    <p>
      The App will belong to ${organization === null ? 'your own account' : html`<code>${organization}</code>`} at
      <code>${pages}</code>. If that is not right, go back and change it.
    </p>
    <form action="${action}" method="post">
      <input type="hidden" name="manifest" value="${manifest}" /><button>Register with GitHub</button>
    </form>`
  // Signing in may lead on to wherever an organisation has its people sign in.
  return { status: 200, title: 'Register Countersign', body, headers, leadsTo: `https: ${new URL(pages).origin}` }
}

type Registered = {
  /** The page of the App at GitHub; null where it names none. */
  readonly page: string | null
  readonly file: string
  readonly worked: Worked
}

/** It says what worked and what did not, and can be looked at again until the process is stopped. */
export function registeredPage({ page, file, worked }: Registered, headers: Headers): Page {
  const { refused, heard, lastTry, installed } = worked
  const install = page === null ? 'Install the App' : html`<a href="${page}/installations/new">Install the App</a>`
  const key = refused === null ? 'GitHub takes the new key.' : `GitHub could not be asked with the new key: ${refused}`
  const webhook =
    heard.length > 0
      ? `A webhook arrived, signed as it has to be: ${heard.join(', ')}.`
      : `No webhook has arrived here yet${lastTry === null ? '' : `; GitHub’s last try ended as ${lastTry}`}. GitHub sends one when the App is installed.`
  const where =
    installed.length > 0 ? html`It is installed on ${installed.join(', ')}.` : html`It is not installed anywhere yet.`
  const line = (holds: boolean, what: Html | string): Html => html`<li>${holds ? 'Yes: ' : 'Not yet: '}${what}</li>`
  const body = html`<p>The credentials are in <code>${file}</code>.</p>
    <h2>Does it work?</h2>
    <ul>
      ${[line(refused === null, key), line(heard.length > 0, webhook), line(installed.length > 0, where)]}
    </ul>
    <p><a href="registered">Look again</a></p>
    <h2>What comes next</h2>
    <ol>
      <li>${install} on a repository.</li>
      <li>Stop this process and start it again: what arrives meanwhile is asked for then.</li>
      <li>
        Add a policy and its workflow in a pull request: <code>countersign init</code> writes both. An admin says
        <code>/ack</code> with a reason there, and it turns green.
      </li>
      <li>Require the check <code>countersign</code>, pinned to this App, in the rules of your default branch.</li>
      <li><code>countersign doctor owner/repo</code> says whether all of it is in place.</li>
    </ol>`
  return { status: 200, title: 'Registered', body, headers }
}
