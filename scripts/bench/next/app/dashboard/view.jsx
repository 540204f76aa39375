'use client'

// The benchmark copies Sixpane's components here, so that both render the same elements.
import { PageContext } from '../../copied/client/page.ts'
import Dashboard from '../../copied/client/screens/dashboard/index.tsx'
import { Shell } from '../../copied/client/shell/shell.tsx'

export function View({ page }) {
  return (
    <PageContext value={page}>
      <Shell>
        <Dashboard content={page.content} />
      </Shell>
    </PageContext>
  )
}
