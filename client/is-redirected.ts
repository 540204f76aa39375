/**
 * Returns whether a URL redirects. If a proxy redirects to a sign-in page on another origin, the Content Security Policy
 * blocks the redirect, and `fetch` rejects as if the server were unreachable.
 */
export async function isRedirected(href: string, signal: AbortSignal | null): Promise<boolean> {
  const request = { method: 'HEAD', signal, headers: { accept: 'text/html' }, redirect: 'manual' } as const
  const response = await fetch(href, request).catch(() => null)
  return response?.type === 'opaqueredirect'
}
