// @ts-check
/**
 * `npm start`: installs and builds what is missing or out of date, then runs the server in this process, so that it receives
 * signals and sets the exit code.
 */
import './prepare/node.mjs'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

stopWithShell()
await prepareOrExit(undefined, { packageSet: 'server' })
// String() hides the path from the type checker, because the file exists only after a build.
await import(String(new URL('../dist/server/main.js', import.meta.url)))
