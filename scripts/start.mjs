// @ts-check
/**
 * `npm start`: installs and builds what is missing or out of date, then runs the server in this very process, so
 * that signals and the exit code are the server's own.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Sixpane: needs Node 20.19 or later, and this is ${process.versions.node}\n`)
  process.exit(1)
}

const { prepare, PrepareError } = await import('./prepare.mjs')
try {
  await prepare({
    tell: line => {
      if (process.stderr.isTTY) process.stderr.write(`  ${line}\n`)
    },
  })
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  process.stderr.write(`Sixpane: ${error.message}\n`)
  process.exit(1)
}

// Not known to the type checker: the build makes it.
await import(String(new URL('../dist/server/main.js', import.meta.url)))
