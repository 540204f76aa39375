import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Page, ScreenContent } from '../../shared/page.ts'
import { defaultPreferences, type Preferences } from '../../shared/preferences.ts'
import { PageContext, usePage } from '../page.ts'
import { type Views, viewIdOf } from '../screens/registry.tsx'

/** The current time of the rendered page. */
export const testNowMs = Date.UTC(2026, 10, 21, 14, 3, 22, 123)

/** Renders an element to HTML, within a test page. */
export function render(element: ReactNode, preferences: Partial<Preferences> = {}): string {
  const page: Page = {
    build: 'b1',
    url: '/nowhere',
    title: 'Test',
    nowMs: testNowMs,
    preferences: { ...defaultPreferences, ...preferences },
    screen: null,
    content: null,
  }
  return renderToStaticMarkup(<PageContext value={page}>{element}</PageContext>)
}

/** Renders a screen's content with the view for that screen. */
export function ShownContent({ views, shown }: { views: Views; shown: ScreenContent }) {
  const page: Page = { ...usePage(), ...shown }
  const id = viewIdOf(page)
  return id === null ? null : views[id]?.(page)
}

/** Returns the text of an HTML string, without tags. */
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
