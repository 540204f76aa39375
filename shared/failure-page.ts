/** Where an exception happened that keeps a screen from loading. */
export type FailureSide = 'server' | 'client'

/**
 * The wording of the one failure that a visitor sees. It names the host and nothing else: no message, no
 * stack, no path, no value.
 */
export function failureSentence(side: FailureSide, host: string): string {
  return side === 'server'
    ? `Application error: a server-side exception has occurred while loading ${host} (see the server logs for more information).`
    : `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`
}

export function digestLine(digest: string): string {
  return `Digest: ${digest}`
}
