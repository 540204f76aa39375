import { createHash } from 'node:crypto'

/** The `id` of the template that contains the page's scripts. */
export const scriptsId = 'scripts'

/**
 * Adds the page's scripts after the first paint, so that on a slow connection, they do not delay the style sheet and the
 * fonts (docs/decisions/0024-scripts-after-paint.md). A hidden tab is not painted, so it adds its scripts immediately.
 */
export const hydrationScript =
  `{let add=()=>document.head.append(document.getElementById("${scriptsId}").content);` +
  'document.hidden?add():requestAnimationFrame(()=>setTimeout(add))}'

/** The `script-src` of the Content-Security-Policy for the script. */
export const hydrationScriptSource = `'sha256-${createHash('sha256').update(hydrationScript).digest('base64')}'`
