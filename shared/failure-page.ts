/** The side on which an exception prevented a screen from loading. */
export type FailureSide = 'server' | 'client'

/** The text of the failure page. It contains the host, but no message, stack, path or value. */
export function failureSentence(side: FailureSide, host: string): string {
  return side === 'server'
    ? `Application error: a server-side exception has occurred while loading ${host} (see the server logs for more information).`
    : `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`
}

export function digestLine(digest: string): string {
  return `Digest: ${digest}`
}

/** The labels of the links below the text. */
export const failureLinks = { reload: 'Reload this page', home: 'Go to Home' } as const
