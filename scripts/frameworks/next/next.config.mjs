import { withSixpane } from 'sixpane/next/config'

export default withSixpane({ output: process.env.NEXT_OUTPUT }, { service: 'shop' })
