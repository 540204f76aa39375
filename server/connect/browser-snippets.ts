import type { Snippet } from '../../shared/screens/development.ts'
import { jsQuote } from './js-quote.ts'
import { shellQuote } from './shell-quote.ts'
import type { SnippetTarget } from './snippet-target.ts'

/** Returns the snippets for web applications, and for the source maps of their builds. */
export function browserSnippets({ origin, tokenNote }: SnippetTarget): Snippet[] {
  return [
    {
      id: 'browser',
      source: 'browser',
      title: 'Browser errors and Web Vitals',
      language: 'js',
      code: browserModule(origin),
      note: 'Reports uncaught exceptions, unhandled rejections and Web Vitals. In a Next.js application with withSixpane, the release is process.env.SIXPANE_RELEASE. Call report(error) in error.tsx, global-error.tsx and catch blocks to report caught errors. The script is smaller than 3 KiB (brotli). Add the application’s origin to SIXPANE_BROWSER_ORIGINS; visitors do not need a password.',
    },
    {
      id: 'sourcemaps',
      source: null,
      title: 'Source maps for a release',
      language: 'sh',
      code: `SIXPANE_URL=${shellQuote(origin)} npx --no-install sixpane sourcemaps upload --release 1.4.0 --service my-service dist/`,
      note: `Run this command after each build, with the release and service of the events. Stack traces of minified code then show the original source. Builds with withSixpane (Next.js) or sixpane/vite do this automatically.${tokenNote}`,
    },
  ]
}

function browserModule(origin: string): string {
  return `import { watch } from 'sixpane/browser'

watch({ url: ${jsQuote(origin)}, service: 'my-app-web', release: '1.4.0' })`
}
