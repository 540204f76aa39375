/**
 * `sixpane/nuxt/config`: a Nuxt module that prepares production builds, so that failures show the original source. In
 * `nuxt.config.js`:
 *
 *   export default defineNuxtConfig({
 *     modules: [['sixpane/nuxt/config', { url: 'http://127.0.0.1:3000', service: 'shop' }]],
 *   })
 *
 * https://nuxt.com/docs/4.x/guide/modules
 */
import { finishBuild } from './build/finish-build.ts'
import { type BuildOptions, uploadTarget } from './build/options.ts'
import { releaseOf } from './build/release.ts'

export type { BuildOptions as Options }

// The parts of the Nuxt 4 and Nitro 2 types that we use.
type Nuxt = {
  options: {
    dev: boolean
    rootDir: string
    sourcemap: { server?: boolean | 'hidden'; client?: boolean | 'hidden' }
    vite: { define?: Record<string, unknown> }
    nitro: { replace?: Record<string, string>; externals?: { inline?: unknown[] } }
  }
  hook(name: 'nitro:init', listener: (nitro: Nitro) => void): void
}
type Nitro = {
  options: { output: { dir: string; publicDir: string } }
  hooks: { hook(name: 'compiled', listener: () => Promise<void>): void }
}

/**
 * Gives each production build a release, which replaces `process.env.SIXPANE_RELEASE` in compiled code and is the default
 * release of `reportTo()`. If there is a URL, the build also gets source maps. They are uploaded after the build, and the
 * browser's maps are then deleted, unless the configuration already publishes them with `sourcemap: { client: true }`.
 * @throws UsageError if the URL is invalid
 */
export default function sixpane(options: BuildOptions, nuxt: Nuxt): void {
  const { options: config } = nuxt
  const target = uploadTarget(options, 'sixpane/nuxt/config')
  const release = config.dev ? undefined : releaseOf(options.release, process.env, config.rootDir)
  const defined = { 'process.env.SIXPANE_RELEASE': JSON.stringify(release) ?? 'undefined' }
  config.vite.define = { ...config.vite.define, ...defined }
  config.nitro.replace = { ...config.nitro.replace, ...defined }
  // Bundles `sixpane`, because the release is inserted only into bundled code.
  config.nitro.externals = {
    ...config.nitro.externals,
    inline: [...(config.nitro.externals?.inline ?? []), 'sixpane'],
  }
  if (release === undefined || target === null) return

  const isPublished = config.sourcemap.client === true
  config.sourcemap = { server: true, client: isPublished ? true : 'hidden' }
  nuxt.hook('nitro:init', ({ options: { output }, hooks }) => {
    hooks.hook('compiled', () =>
      finishBuild({
        ...target,
        projectFolder: config.rootDir,
        outputFolder: output.dir,
        release,
        // The server code contains the sizes and hashes of the browser's files, so they must not change.
        mayChangeCode: false,
        browserFolder: isPublished ? null : output.publicDir,
      }),
    )
  })
}
