// @ts-check
/**
 * `npm start`: installs and builds what is missing or out of date, then runs the server in this very process, so
 * that signals and the exit code are the server's own.
 */
import './prepare/node.mjs'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

stopWithShell()
await prepareOrExit()
// Not known to the type checker: the build makes it.
await import(String(new URL('../dist/server/main.js', import.meta.url)))
