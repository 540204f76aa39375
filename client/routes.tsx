import type { ReactNode } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { screens } from '../shared/screens.ts'
import { usePage } from './page.ts'
import { type Views, viewIdOf } from './screens/registry.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

/** The path of the route for unknown URLs. */
const unknownPath = '/not-found'

/**
 * The route tree, rendered on the server and in the browser: one of six screens in the shell. The prepared page, not the
 * URL, determines the route, because React Router does not match paths that contain a line break. The tree contains only
 * this route, because React Router ranks all routes for each page.
 */
export function Screens({ views }: { views: Views }) {
  const { screen } = usePage()
  return (
    <Routes location={screen === null ? unknownPath : screens[screen].path}>
      <Route
        element={
          <Shell>
            <Outlet />
          </Shell>
        }
      >
        {screen === null ? (
          <Route path="*" element={<NotFound />} />
        ) : (
          <Route path={screens[screen].path} element={<Screen views={views} />} />
        )}
      </Route>
    </Routes>
  )
}

function Screen({ views }: { views: Views }): ReactNode {
  const page = usePage()
  if (page.drill === 'client' && typeof document !== 'undefined') {
    throw new Error('This page fails on purpose in the browser (drill)')
  }
  const id = viewIdOf(page)
  return id === null ? null : views[id]?.(page)
}
