import { withSixpane } from 'sixpane/next/config'

const nextConfig = { output: process.env.NEXT_OUTPUT }

export default withSixpane(nextConfig, { service: 'shop' })
