/**
 * The options of all cookies of the sign-in. Browsers accept names with the prefix `__Host-` only with these, so that no other host can set
 * them: https://datatracker.ietf.org/doc/html/rfc6265bis
 */
export const hostCookie = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const
