import type { FastifyRequest } from 'fastify'

/** The media type of HTML responses. */
export const htmlType = 'text/html; charset=utf-8'

/** Whether the client accepts HTML. */
export function acceptsHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true
}

/** Whether a browser will show the response as a document. */
export function isPageLoad(request: Pick<FastifyRequest, 'headers'>): boolean {
  const mode = request.headers['sec-fetch-mode'] ?? 'navigate'
  return mode === 'navigate' && acceptsHtml(request)
}
