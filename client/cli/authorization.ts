/** Returns the headers that authenticate a request. The token takes precedence over the password. */
export function authorizationHeaders(
  token: string | undefined,
  password: string | undefined,
): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (password === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` }
}
