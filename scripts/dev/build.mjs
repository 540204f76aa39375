// @ts-check
import * as esbuild from 'esbuild'
import { clientOptions, sdkOptions, serverOptions } from '../build/options.mjs'
import { writeBuild } from '../build/write.mjs'
import { clearBuiltMark } from '../prepare/sources.mjs'

/** Reloads the page when a newer build has replaced its script. */
const reload = `if (import.meta.url.includes('/entry-')) setInterval(async () => {
  const response = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (response?.status === 404) location.reload()
}, 500)`

/** Creates a fast build that includes React's warnings. The pages reload after the next build. */
export async function buildForDevelopment() {
  // Forces the next `npm start` to build for production.
  await clearBuiltMark()
  const [client, server, sdk] = await Promise.all([
    esbuild.build({
      ...clientOptions(),
      minify: false,
      define: { 'process.env.NODE_ENV': '"development"' },
      // The timestamp changes the hash in the script's name, so that pages detect each build.
      footer: { js: `${reload} // ${Date.now()}` },
    }),
    // Packages rarely change, and bundling them would take most of the build time.
    esbuild.build({ ...serverOptions(), packages: 'external' }),
    Promise.all(sdkOptions().map(options => esbuild.build(options))),
  ])
  await writeBuild(client, server, sdk, { compress: false })
}
