// @ts-check
import { createHash } from 'node:crypto'
import * as esbuild from 'esbuild'
import { clientOptions, sdkOptions, serverOptions, writeBuild } from '../build.mjs'
import { externalPackages } from '../install-manifest.mjs'

/** Builds again and again, each time only what has changed. */
export async function createBuilder() {
  const client = await esbuild.context({
    ...clientOptions(),
    minify: false,
    // React's own development build: it says in the browser's console what does not fit.
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  const server = await esbuild.context({
    ...serverOptions(),
    // They do not change: bundling them would be most of the work.
    packages: 'external',
  })
  const connect = await Promise.all(sdkOptions().map(options => esbuild.context(options)))
  let written = ''

  return {
    /**
     * Builds what the sources are now into dist/. A build that fails leaves dist/ as it is.
     * @returns {Promise<{ changed: boolean, packages: string[] } | { problem: string }>} whether
     *   anything came out otherwise than the last time, and the packages that the server imports; or what esbuild says
     */
    async build() {
      try {
        const [ofClient, ofServer, ofConnect] = await Promise.all([
          client.rebuild(),
          server.rebuild(),
          Promise.all(connect.map(context => context.rebuild())),
        ])
        const hash = createHash('sha256')
        const files = [ofClient, ofServer, ...ofConnect].flatMap(({ outputFiles }) => outputFiles)
        for (const file of files) hash.update(file.hash)
        const outcome = hash.digest('hex')
        const packages = externalPackages(ofServer.metafile)
        if (outcome === written) return { changed: false, packages }
        await writeBuild(ofClient, ofServer, ofConnect, { compress: false })
        written = outcome
        return { changed: true, packages }
      } catch (error) {
        return { problem: await explain(error) }
      }
    },
    dispose: () => Promise.all([client, server, ...connect].map(context => context.dispose())),
  }
}

/** @param {unknown} error @returns {Promise<string>} */
async function explain(error) {
  if (!(error instanceof Error)) return String(error)
  if (!('errors' in error) || !Array.isArray(error.errors)) return error.stack ?? error.message
  const options = { kind: /** @type {const} */ ('error'), color: process.stderr.isTTY === true }
  return (await esbuild.formatMessages(error.errors, options)).join('\n')
}
