// The pages of the registration. They load nothing from anywhere, are kept by nobody and tell nobody where they were
// reached; all that is put into them is made harmless here.
import type { ServerResponse } from 'node:http'

export type Page = {
  readonly status: number
  readonly title: string
  readonly body: Html
  /** For what a page does beside being shown. */
  readonly headers?: Readonly<Record<string, string>>
  /** Where its forms lead besides this App. */
  readonly leadsTo?: string
}
/** Text that is safe within a page, since `html` made it. */
export type Html = { readonly html: string }

/** A template: what is filled in stands there as text, unless it is a piece of a page itself. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const pieces = strings.flatMap((string, index) => {
    const value = values[index]
    return value === undefined ? [string] : [string, inserted(value)]
  })
  return { html: pieces.join('') }
}

function inserted(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escaped(value)
  return 'html' in value ? value.html : value.map((one) => one.html).join('')
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem}' +
  'label{display:block;margin:1rem 0}input{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}' +
  'button{font:inherit;padding:.5rem 1rem}code{overflow-wrap:anywhere}:focus-visible{outline:3px solid Highlight;outline-offset:2px}'

export function show(response: ServerResponse, { status, title, body, headers = {}, leadsTo = '' }: Page): void {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action 'self' ${leadsTo}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(pageText({ title, body }))
}

export function pageText({ title, body }: Pick<Page, 'title' | 'body'>): string {
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <style>
        ${{ html: style }}
      </style>
      <h1>${title}</h1>
      ${body}
    </html>`
  return page.html
}
