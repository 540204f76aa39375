// @ts-check
import * as esbuild from 'esbuild'
import { clientOptions, sdkOptions, serverOptions, writeBuild } from '../build.mjs'
import { unstampBuilt } from '../prepare/sources.mjs'

/** Reloads a page once a newer build has replaced its script. */
const reload = `if (import.meta.url.includes('/entry-')) setInterval(async () => {
  const answer = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (answer?.status === 404) location.reload()
}, 500)`

/** Builds quickly, with the warnings of React's development build, and pages that reload after the next build. */
export async function buildForDevelopment() {
  // `npm start` has to build for production again.
  await unstampBuilt()
  const [client, server, connect] = await Promise.all([
    esbuild.build({
      ...clientOptions(),
      minify: false,
      define: { 'process.env.NODE_ENV': '"development"' },
      // The time gives the script another name, which is a hash of its content, in each build.
      footer: { js: `${reload} // ${Date.now()}` },
    }),
    // The packages do not change: bundling them would be most of the work.
    esbuild.build({ ...serverOptions(), packages: 'external' }),
    Promise.all(sdkOptions().map(options => esbuild.build(options))),
  ])
  await writeBuild(client, server, connect, { compress: false })
}
