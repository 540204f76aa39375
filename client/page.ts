import { createContext, useContext } from 'react'
import type { Page } from '../shared/page.ts'

/** The current page, on the server and in the browser. */
export const PageContext = createContext<Page | null>(null)

/** Whether the visitor may change failures, notes and saved searches. If not, pages omit the forms for these changes. */
export function useMayChange(): boolean {
  return usePage().role !== 'viewer'
}

/** Returns the current page: its content, preferences, clock and URL. */
export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('usePage is used outside a page')
  return page
}
