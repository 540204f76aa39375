/** `sixpane copy --from SOURCE --to TARGET`: copies the entire contents of one store to another. */
import { runCopy } from './copy/run-copy.ts'

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())

process.umask(0o077)
process.exitCode = await runCopy({
  args: process.argv.slice(2),
  environment: process.env,
  signal: stopping.signal,
  isTerminal: process.stderr.isTTY === true,
  print: text => void process.stdout.write(text),
  printError: text => void process.stderr.write(text),
})
