import { createHash } from 'node:crypto'
import { language } from '../../shared/language.ts'

// Inline, so that the page does not depend on another request. The Content-Security-Policy allows its hash.
const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0}' +
  '.standalone{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;justify-content:center;' +
  'max-width:40rem;margin:0 auto;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  '.standalone :is(h1,p){margin:0 0 .5rem;font:inherit}' +
  // If the failure occurs after the head has been sent, hides the incomplete screen.
  'body>:not(.standalone){display:none}'

/** The `style-src` of the Content-Security-Policy for standalone pages. */
export const standaloneStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Creates a document without scripts or other files, as a replacement for screens that cannot be shown. */
export function standaloneDocument(title: string, content: string): string {
  return (
    `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    // Prevents a request for /favicon.ico.
    `<link rel="icon" href="data:,"></head><body>${content}</body></html>`
  )
}

/** The content of a standalone page, with its style. */
export function standaloneContent(html: string): string {
  return `<style>${style}</style><main class="standalone">${html}</main>`
}
