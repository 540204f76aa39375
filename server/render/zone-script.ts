import { createHash } from 'node:crypto'
import { zoneCookie } from '../../shared/preferences.ts'

/**
 * Stores the browser's time zone in a cookie, and loads the page again if its times are in UTC only because the server did
 * not receive the cookie. Runs before the first paint, so the visitor never sees the times in UTC. Does not load the page
 * again if the browser refuses the cookie or the server does not support the zone, because that would repeat forever.
 */
export const zoneScript =
  'try{let z=Intl.DateTimeFormat().resolvedOptions().timeZone,' +
  `c="${zoneCookie}="+encodeURIComponent(z),has=()=>document.cookie.includes(c),had=has();` +
  'document.cookie=c+";path=/;max-age=31536000;samesite=lax";' +
  'if(z!="UTC"&&!had&&has())location.reload()}catch{}'

/** The `script-src` of the Content-Security-Policy for the script. */
export const zoneScriptSource = `'sha256-${createHash('sha256').update(zoneScript).digest('base64')}'`
