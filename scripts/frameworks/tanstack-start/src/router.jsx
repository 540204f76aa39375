import { createRouter } from '@tanstack/react-router'
import { report } from 'sixpane/browser'
import { reportLoaders } from 'sixpane/tanstack-start'
import { routeTree } from './routeTree.gen.ts'

export function getRouter() {
  return reportLoaders(
    createRouter({
      routeTree,
      defaultErrorComponent: ({ error }) => <p>{error.message}</p>,
      defaultOnCatch: error => report(error),
    }),
  )
}
