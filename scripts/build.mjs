// @ts-check
/**
 * Builds the browser files (precompressed, with content hashes in their names), the server bundle, source maps for both
 * (never served) and a manifest.
 *
 *   dist/assets/        the files served at /assets/, each also as .br and .gz
 *   dist/maps/          source maps of the browser files
 *   dist/server/main.js the server, with its source map; in the same folder, the files that it loads when it needs them
 *   dist/sdk/           self-contained modules that connected services and web applications import
 *   dist/cli/           main.js: the `sixpane` command; shared-server.js: the server that it starts
 *   dist/manifest.json  see server/build.ts
 *   dist/package.json, dist/package-lock.json  the packages that the server needs
 *   dist/sbom.json      the software bill of materials
 */
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { commonChunk } from './build/common-chunk.mjs'
import { clientOptions, sdkOptions, serverOptions } from './build/options.mjs'
import { writeBuild } from './build/write.mjs'
import { root } from './prepare/root.mjs'

/** Builds everything for production. */
export async function build() {
  const [client, server, sdk] = await Promise.all([
    buildClient(),
    esbuild.build(serverOptions()),
    Promise.all(sdkOptions().map(options => esbuild.build(options))),
  ])
  return writeBuild(client, server, sdk, { compress: true })
}

async function buildClient() {
  const options = clientOptions()
  return esbuild.build({ ...options, plugins: [...options.plugins, await commonChunk(options)] })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedMs = performance.now()
  const { chunks } = await build()
  const largest = chunks.map(chunk => `${chunk.name} ${(chunk.brotliBytes / 1024).toFixed(1)} KiB`)
  console.log(`Built in ${Math.round(performance.now() - startedMs)} ms: ${largest.join(', ')} (brotli)`)
  console.log(relative(process.cwd(), join(root, 'dist')) || '.')
}
