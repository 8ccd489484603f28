// GitHub's API and its pages are at different addresses: on github.com, with Enterprise's data residency and on Enterprise
// Server, each in its own way.
// https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency/network-details-for-ghecom
// https://docs.github.com/en/enterprise-server@latest/rest/using-the-rest-api/getting-started-with-the-rest-api

/** Where people meet GitHub, by the address of its API. */
export function pagesOf(apiUrl: string): string {
  const { protocol, host, origin } = new URL(apiUrl)
  const ofApi = /^api\.(github\.com|[^.]+\.ghe\.com)$/.exec(host)?.[1]
  return ofApi === undefined ? origin : `${protocol}//${ofApi}`
}

/** Where the API is, if somebody gave the address of the pages instead; else null. */
export function apiMeant(given: string): string | null {
  const url = URL.parse(given)
  if (url === null || !/^(github\.com|(?!api\.)[^.]+\.ghe\.com)$/.test(url.host)) return null
  return `${url.protocol}//api.${url.host}`
}
