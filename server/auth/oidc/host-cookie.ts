/**
 * The options of all sign-in cookies. Browsers accept names with the prefix `__Host-` only with these options, so that no
 * other host can set the cookies: https://datatracker.ietf.org/doc/html/rfc6265bis
 */
export const hostCookie = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const
