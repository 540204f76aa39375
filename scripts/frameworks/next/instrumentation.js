import { reportTo } from 'sixpane/next'

export const onRequestError = reportTo({ service: 'shop' })
