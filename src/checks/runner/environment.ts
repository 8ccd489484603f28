// What of the runner's environment a check may see: by a list of what is harmless, since a list of what is secret is
// never complete. The runner's own tokens could forge the artifact that carries the results, and its command files could
// change the steps that follow.

export type Environment = Readonly<Record<string, string | undefined>>

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)
const harmless = new Set([
  ...wordsOf(`
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TEMP TMP CI DISPLAY DEBIAN_FRONTEND SYSTEMROOT PATHEXT
    RUNNER_ARCH RUNNER_ENVIRONMENT RUNNER_NAME RUNNER_OS RUNNER_TEMP RUNNER_TOOL_CACHE AGENT_TOOLSDIRECTORY
    ImageOS ImageVersion
    GITHUB_ACTIONS GITHUB_ACTOR GITHUB_ACTOR_ID GITHUB_API_URL GITHUB_BASE_REF GITHUB_EVENT_NAME GITHUB_EVENT_PATH
    GITHUB_GRAPHQL_URL GITHUB_HEAD_REF GITHUB_JOB GITHUB_REF GITHUB_REF_NAME GITHUB_REF_PROTECTED GITHUB_REF_TYPE
    GITHUB_REPOSITORY GITHUB_REPOSITORY_ID GITHUB_REPOSITORY_OWNER GITHUB_REPOSITORY_OWNER_ID GITHUB_RUN_ATTEMPT
    GITHUB_RUN_ID GITHUB_RUN_NUMBER GITHUB_SERVER_URL GITHUB_SHA GITHUB_TRIGGERING_ACTOR GITHUB_WORKFLOW
    GITHUB_WORKFLOW_REF GITHUB_WORKFLOW_SHA GITHUB_WORKSPACE
  `),
  // Where tools live, beside everything that ends in _HOME or _ROOT
  ...wordsOf(`
    GOPATH GOBIN NVM_DIR VIRTUAL_ENV CONDA CONDA_PREFIX pythonLocation Python_ROOT_DIR Python2_ROOT_DIR
    Python3_ROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH CHROME_BIN CHROMEWEBDRIVER EDGEWEBDRIVER GECKOWEBDRIVER
  `),
  // How the network is reached
  ...wordsOf(`
    HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
    SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
  `),
])
/** Behind it stands nothing, or a version and what it was built for, as in `JAVA_HOME_17_X64`: a word says what else it is. */
const toolPlace = /^[A-Za-z][A-Za-z0-9_]*_(?:HOME|ROOT)(?:(?:_\d+)+(?:_[A-Za-z]{1,5}\d{2}[A-Za-z]{0,2})?)?$/
const locale = /^LC_[A-Z]+$/
const runnersOwn = /^(?:ACTIONS|INPUT|STATE)_/
const secretName = /TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY|SIGNING|COOKIE/i

export function checkEnvironment(runner: Environment, own: Environment = {}): Record<string, string> {
  const allowed = Object.entries(runner).filter(([name]) => mayBeSeen(name))
  const all = [...allowed, ['CI', runner['CI'] ?? 'true'] as const, ...Object.entries(own)]
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function mayBeSeen(name: string): boolean {
  if (harmless.has(name)) return true
  return (toolPlace.test(name) || locale.test(name)) && !runnersOwn.test(name) && !secretName.test(name)
}

/** Values that must not be read anywhere, by the names they go under. */
export function secretValues(runner: Environment): string[] {
  return Object.entries(runner).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && !mayBeSeen(name) ? [value] : [],
  )
}
