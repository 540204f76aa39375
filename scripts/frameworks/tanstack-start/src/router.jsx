import { createRouter } from '@tanstack/react-router'
import { report } from 'sixpane/browser'
import { reportLoaders } from 'sixpane/tanstack-start'
import { routeTree } from './routeTree.gen.ts'

export function getRouter() {
  const router = createRouter({
    routeTree,
    defaultErrorComponent: ({ error }) => <p>{error.message}</p>,
    // The server has reported the errors of loaders, unless they are expected.
    defaultOnCatch: error => {
      if (!router.state.matches.some(match => match.error === error)) report(error)
    },
  })
  return reportLoaders(router)
}
