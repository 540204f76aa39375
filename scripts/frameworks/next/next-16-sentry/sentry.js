import { digestIntegration } from 'sixpane/sentry'

/** The options of the SDK, for the server and the browser. */
export const options = {
  dsn: `${process.env.NEXT_PUBLIC_SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`,
  integrations: [digestIntegration()],
  tracesSampleRate: 1,
}
