// @ts-check
/** Import this first. Exits with a clear message if Node is too old for the other modules. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Sixpane needs Node 20.19 or later, but this is Node ${process.versions.node}\n`)
  process.exit(1)
}
