const noUrl = { protocol: '', username: '', password: '' }

/** Returns the reason why no request can be sent with this URL and token, or `null`. The reason contains neither. */
export function destinationProblem(url: string, token: string | undefined): string | null {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : noUrl
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    return 'the URL must have the form http://127.0.0.1:3000, without a user name or password'
  return token === undefined ? null : tokenProblem(token)
}

/** Returns the reason why no header can contain this token, or `null`. */
export function tokenProblem(token: string): string | null {
  return /^[\w.~+/-]+=*$/.test(token)
    ? null
    : "the token contains invalid characters: create a new one on Sixpane's settings screen"
}
