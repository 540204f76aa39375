import type { ReactNode } from 'react'
import { StaticRouter } from 'react-router-dom'
import { PageContext } from '../../client/page.ts'
import type { Views } from '../../client/screens/registry.tsx'
import type { Page } from '../../shared/page.ts'
import type { Build } from '../build.ts'

/** What rendering needs besides the page. */
export type RenderEnv = { views: Views; build: Build }

/** Renders the same tree as the browser, with the router fixed to the page's URL. */
export function PageTree({ page, children }: { page: Page; children: ReactNode }) {
  return (
    <PageContext value={page}>
      <StaticRouter location={page.url}>{children}</StaticRouter>
    </PageContext>
  )
}
