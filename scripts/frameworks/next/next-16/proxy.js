import { reportProxy } from 'sixpane/next'

export const config = { matcher: '/proxy' }

export const proxy = reportProxy(
  () => {
    throw new Error('failed in proxy')
  },
  { service: 'shop' },
)
