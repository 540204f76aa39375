import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { reportTo } from 'sixpane/tanstack-start'

const { onRequest, onServerFunction } = reportTo({ service: 'shop' })

const failing = createMiddleware().server(({ next, pathname }) => {
  if (pathname === '/middleware') throw new Error('failed in middleware')
  return next()
})

export const startInstance = createStart(() => ({
  requestMiddleware: [
    createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' }),
    createMiddleware().server(onRequest),
    failing,
  ],
  functionMiddleware: [createMiddleware({ type: 'function' }).server(onServerFunction)],
}))
