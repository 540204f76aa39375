import type { Page } from '../../shared/page.ts'
import { paths } from '../../shared/paths.ts'
import type { Build } from '../build.ts'
import { escapeHtml } from '../html/escape.ts'

/** What stands before and after the screen: known before anything is rendered, and no business of React's. */
export type Frame = { head: string; tail: string }

/** Writes the document around a page. The tail carries the content that hydration reads. */
export function frameOf(page: Page, build: Build): Frame {
  const { theme, density, motion } = page.preferences
  const scripts = [
    build.entry,
    ...build.shared,
    ...(page.screen === null ? [] : (build.screens[page.screen] ?? [])),
  ]
  const preloads = scripts
    .slice(1)
    .map(name => `<link rel="modulepreload" fetchpriority="low" href="${paths.asset(name)}">`)
  return {
    head:
      `<!DOCTYPE html><html lang="en" data-build="${build.build}" data-theme="${theme}" data-density="${density}" data-motion="${motion}">` +
      `<head><meta charset="utf-8"><title>${escapeHtml(page.title)}</title>` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<meta name="color-scheme" content="light dark">' +
      `<link rel="icon" href="${icon}">` +
      `<link rel="stylesheet" href="${paths.asset(build.style)}">` +
      // The page is whole without them: what is seen comes first.
      `<script type="module" fetchpriority="low" src="${paths.asset(build.entry)}"></script>${preloads.join('')}` +
      '</head><body><div id="root">',
    tail: `</div><script type="application/json" id="page">${scriptSafeJson(page)}</script></body></html>`,
  }
}

/**
 * Writes a value as JSON that no HTML parser can mistake for markup: inside `<script>` only `<` could begin an
 * end tag or a comment (https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements).
 * `JSON.parse` reads exactly the value back.
 */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

// Six panes; inline, so that no request is made for it.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#4466dd">' +
    [1, 6, 11].map(x => `<path d="M${x} 2h4v5h-4zM${x} 9h4v5h-4z"/>`).join('') +
    '</svg>',
)}`
