// @ts-check
/**
 * `npm run dev`: Sixpane on PORT (3000), rebuilt and reloaded in the browser with every change of a source. The
 * server itself runs as it does in production, behind a small proxy that waits while it starts anew.
 */
import './prepare/node.mjs'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

stopWithShell()
await prepareOrExit(undefined, { builds: false })
// Only now: it imports what has just been installed.
const { startDevelopment } = await import('./dev/development.mjs')
await startDevelopment(Number(process.env.PORT ?? 3000))
