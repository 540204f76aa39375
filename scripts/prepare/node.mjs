// @ts-check
/** Imported first: ends the process with one clear line where Node is too old for what follows. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Sixpane: needs Node 20.19 or later, and this is ${process.versions.node}\n`)
  process.exit(1)
}
