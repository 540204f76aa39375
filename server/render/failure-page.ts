import { createHash } from 'node:crypto'
import { digestLine, type FailureSide, failureSentence } from '../../shared/failure-page.ts'
import { escapeHtml } from '../html/escape.ts'

// The page depends on nothing that could have failed, so its few rules of style come with it; the
// Content-Security-Policy allows exactly this text by its hash.
const style =
  ':root{color-scheme:light dark}' +
  'body{margin:0}' +
  '.failure-page{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;justify-content:center;' +
  'max-width:40rem;margin:0 auto;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  '.failure-page :is(h1,p){margin:0 0 .5rem;font:inherit}' +
  // A failure after the head was sent: the screen that had begun gives way to it.
  'body>:not(.failure-page){display:none}'

/** What the policy's `style-src` has to allow for the failure page. */
export const failureStyleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * The one failure that a visitor sees, as a whole document: a constant with the host and the digest filled in.
 * @param digest `null` where none could be found out
 */
export function failurePage(side: FailureSide, host: string, digest: string | null): string {
  return (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Application error</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    // Keeps the browser from asking for /favicon.ico on top of it all.
    `<link rel="icon" href="data:,"></head><body>${failureFragment(side, host, digest)}</body></html>`
  )
}

/** The same in place of a screen of which a part has been sent: closes what is open, and hides it. */
export function failureFragment(side: FailureSide, host: string, digest: string | null): string {
  const line = digest === null ? '' : `<p>${escapeHtml(digestLine(digest))}</p>`
  return (
    `<style>${style}</style><main class="failure-page" data-failure>` +
    `<div role="alert"><h1>${escapeHtml(failureSentence(side, host))}</h1>${line}</div></main>`
  )
}
