// How tokens that open a door look, so that none of them is shown to anybody or sent anywhere.

/** Formats of tokens that open a door. A key's lines are told from code by their alphabet, so that no code hides there. */
export const secretFormats: readonly RegExp[] = [
  /gh[pousr]_[A-Za-z0-9]{36,255}/g,
  /github_pat_[A-Za-z0-9_]{22,255}/g,
  /sk-ant-[A-Za-z0-9_-]{20,255}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /xox[abeprs]-[A-Za-z0-9-]{10,255}/g,
  /eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:\r?\n[+\- ]?[A-Za-z0-9+/=]{16,80}(?=\r?\n|$))*(?:\r?\n[+\- ]?[A-Za-z0-9+/=]{1,80}(?=\r?\n[+\- ]?-----END))?/g,
]

export const holdsSecret = (text: string): boolean => secretFormats.some((format) => text.search(format) >= 0)
