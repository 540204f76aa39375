import { createContext, useContext } from 'react'
import type { Page } from '../shared/page.ts'

/** The page that is shown; the server and the browser both provide it. */
export const PageContext = createContext<Page | null>(null)

/** Gives the page that is shown: its preferences, its clock, its URL. */
export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('usePage is used outside of a page')
  return page
}
