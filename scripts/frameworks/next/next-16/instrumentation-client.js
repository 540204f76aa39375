import { watch } from 'sixpane/browser'

watch({
  url: process.env.NEXT_PUBLIC_SIXPANE_URL,
  service: 'shop',
  release: process.env.SIXPANE_RELEASE,
})
