import { sequence } from 'astro:middleware'
import { reportTo } from 'sixpane/astro'

export const onRequest = sequence(reportTo({ service: 'shop' }), ({ url }, next) => {
  if (url.pathname === '/middleware') throw new Error('failed in middleware')
  return next()
})
