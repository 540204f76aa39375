import { reportTo } from 'sixpane/nuxt'

export default reportTo({ service: 'shop' })
