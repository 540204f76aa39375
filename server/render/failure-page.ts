import { createHash } from 'node:crypto'
import { digestLine, type FailureSide, failureSentence } from '../../shared/failure-page.ts'
import { escapeHtml } from '../html/escape.ts'

// Inline, so that the page depends on nothing that could have failed. The Content-Security-Policy allows it by its hash.
const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0}' +
  '.failure-page{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;justify-content:center;' +
  'max-width:40rem;margin:0 auto;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  '.failure-page :is(h1,p){margin:0 0 .5rem;font:inherit}' +
  // If the failure occurs after the head was sent, hides the incomplete screen.
  'body>:not(.failure-page){display:none}'

/** The `style-src` of the Content-Security-Policy for the failure page. */
export const failureStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * The failure page as a complete document. Only the host and the digest vary.
 * @param digest `null` if the failure could not be logged
 */
export function failurePage(side: FailureSide, host: string, digest: string | null): string {
  return (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Application error</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    // Prevents a request for /favicon.ico.
    `<link rel="icon" href="data:,"></head><body>${failureFragment(side, host, digest)}</body></html>`
  )
}

/** The content of the failure page, also used to replace a screen that was already partly sent. */
export function failureFragment(side: FailureSide, host: string, digest: string | null): string {
  const line = digest === null ? '' : `<p>${escapeHtml(digestLine(digest))}</p>`
  return (
    `<style>${style}</style><main class="failure-page" data-failure>` +
    `<div role="alert"><h1>${escapeHtml(failureSentence(side, host))}</h1>${line}</div></main>`
  )
}
