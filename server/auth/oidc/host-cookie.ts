/**
 * The options of all sign-in cookies. Browsers accept a name with the prefix `__Host-` only for a secure cookie with the path
 * `/` and no domain, so no other host can set these cookies: https://datatracker.ietf.org/doc/html/rfc6265bis
 */
export const hostCookie = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const
