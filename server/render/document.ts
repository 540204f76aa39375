import { viewIdOf } from '../../client/screens/registry.tsx'
import { language } from '../../shared/language.ts'
import { pack } from '../../shared/packed-json.ts'
import type { Page } from '../../shared/page.ts'
import { paths } from '../../shared/paths.ts'
import { defaultPreferences } from '../../shared/preferences.ts'
import type { Build } from '../build.ts'
import { escapeHtml } from '../html/escape.ts'
import { hydrationScript, scriptsId } from './hydration-script.ts'
import { zoneScript } from './zone-script.ts'

/** The HTML before and after the screen. React does not render it, because no component affects it. */
export type DocumentParts = { head: string; tail: string }

/** Builds the document around a page. The tail contains the hydration data. */
export function documentAround(page: Page, build: Build): DocumentParts {
  const { theme, density, motion, timeZone, isBrowserZone } = page.preferences
  const isZoneUnknown = isBrowserZone && timeZone === defaultPreferences.timeZone
  const preloads = [...build.shared, ...viewChunks(page, build)].map(
    name => `<link rel="modulepreload" href="${paths.asset(name)}">`,
  )
  const scripts = `<script type="module" src="${paths.asset(build.entry)}"></script>${preloads.join('')}`
  // Without preloading, the browser requests the fonts only after the style sheet, and shows them only on the next page.
  const fonts = build.fonts.map(
    name => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${paths.asset(name)}">`,
  )
  return {
    head:
      `<!DOCTYPE html><html lang="${language}" data-build="${page.build}" data-theme="${theme}" data-density="${density}" data-motion="${motion}">` +
      `<head><meta charset="utf-8">${isZoneUnknown ? `<script>${zoneScript}</script>` : ''}` +
      `<title>${escapeHtml(page.title)}</title>` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<meta name="color-scheme" content="light dark">' +
      `<link rel="icon" href="${icon}">` +
      `<link rel="stylesheet" href="${paths.asset(build.style)}">${fonts.join('')}` +
      // Without this link, the browser may paint the first items of a navigation bar and shift them when it parses the rest.
      '<link rel="expect" blocking="render" href="#main">' +
      '</head><body><div id="root">',
    tail:
      `</div><script type="application/json" id="page">${scriptSafeJson(pack(page))}</script>` +
      `<template id="${scriptsId}">${scripts}</template><script>${hydrationScript}</script></body></html>`,
  }
}

/**
 * Serialises a value for a `<script>` element. Escapes `<`, the only character that can start an end tag or a comment there
 * (https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements).
 */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

// Six panes, inline to save a request.
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#4466dd">' +
    [1, 6, 11].map(x => `<path d="M${x} 2h4v5h-4zM${x} 9h4v5h-4z"/>`).join('') +
    '</svg>',
)}`

/** The chunks of the page's view, and of the screen that contains it. */
function viewChunks(page: Page, { screens }: Build): Set<string> {
  const id = viewIdOf(page)
  if (page.screen === null || id === null) return new Set()
  return new Set([...(screens[page.screen] ?? []), ...(screens[id] ?? [])])
}
