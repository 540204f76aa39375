// @ts-check
/**
 * Runs the unit tests of the server, the command and the clients with other Node versions, which npm provides as packages.
 *
 *   npm run test:node            Node 22 and 24
 *   npm run test:node -- 24.21   another version
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installNode } from './prepare/other-node.mjs'
import { run } from './prepare/run.mjs'
import { prepareOrExit } from './prepare.mjs'
import { findTestFiles } from './test/groups.mjs'

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24']
const runsInNode = (/** @type {string} */ file) => /^(?:server|client[\\/](?:cli|sdk))[\\/]/.test(file)

await prepareOrExit()
const folder = await mkdtemp(join(tmpdir(), 'sixpane-node-'))
try {
  for (const version of versions) {
    const bin = await installNode(version, join(folder, version))
    const node = join(bin, 'node')
    console.log(`Node ${(await run(node, ['--version'])).output}`)
    const { code } = await run(node, ['scripts/test.mjs', ...findTestFiles().filter(runsInNode)], {
      // The tests start other processes with the first `node` on the PATH.
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
      inherit: true,
    })
    if (code !== 0) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
