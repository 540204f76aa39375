import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Page } from '../../shared/page.ts'
import { defaultPreferences, type Preferences } from '../../shared/preferences.ts'
import { PageContext } from '../page.ts'

/** The clock of `render`. */
export const testNowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

/** Gives the HTML of a part, as it stands in a page. */
export function render(part: ReactNode, preferences: Partial<Preferences> = {}): string {
  const page: Page = {
    build: 'b1',
    url: '/nowhere',
    title: 'Test',
    nowMs: testNowMs,
    preferences: { ...defaultPreferences, ...preferences },
    screen: null,
    content: null,
  }
  return renderToStaticMarkup(<PageContext value={page}>{part}</PageContext>)
}

/** What a reader of the HTML reads: the text without the tags. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}
