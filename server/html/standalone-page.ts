import { createHash } from 'node:crypto'
import { language } from '../../shared/language.ts'
import { standaloneStyle } from '../../shared/standalone-style.ts'

/** The `style-src` of the Content-Security-Policy for standalone pages. */
export const standaloneStyleSource = `'sha256-${createHash('sha256').update(standaloneStyle).digest('base64')}'`

/** Creates a document without scripts or other files, as a replacement for screens that cannot be shown. */
export function standaloneDocument(title: string, content: string): string {
  return (
    `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    // Prevents a request for /favicon.ico.
    `<link rel="icon" href="data:,"></head><body>${content}</body></html>`
  )
}

/**
 * The content of a standalone page. The style is inline, so that the page does not depend on another request. The browser
 * waits for the id before it paints a screen (`server/render/document.ts`), which this content can replace.
 */
export function standaloneContent(html: string): string {
  return `<style>${standaloneStyle}</style><main id="main" class="standalone">${html}</main>`
}
