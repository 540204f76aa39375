/**
 * `sixpane/vite`: prepares production builds of Vite, and of frameworks that build with Vite, so that failures show the
 * original source. In `vite.config.js`:
 *
 *   import sixpane from 'sixpane/vite'
 *   export default defineConfig({ plugins: [sixpane({ url: 'http://127.0.0.1:3000', service: 'shop' })] })
 */
import { finishBuild } from './build/finish-build.ts'
import { type BuildOptions, uploadTarget } from './build/options.ts'
import { releaseOf } from './build/release.ts'

export type { BuildOptions as Options }

// The parts of Vite 5 to 8 that we use: https://vite.dev/guide/api-plugin
type UserConfig = {
  root?: string | undefined
  build?: { sourcemap?: boolean | 'inline' | 'hidden' | undefined }
}
type ResolvedConfig = { root: string; build: { ssr?: boolean | string } }
/** The context of a hook. Vite 5 has no environments. */
type Context = { environment?: { config: { consumer: string } }; meta: { watchMode?: boolean } }

/**
 * Creates a plugin for production builds. Each build gets a release, which replaces `process.env.SIXPANE_RELEASE` in the code
 * and is the default release of `reportTo()`. If there is a URL, the build also gets source maps and debug ids. The maps are
 * uploaded after each part of the build (client, server) is written, and the client's maps are then deleted. If the
 * configuration sets `build.sourcemap`, that setting applies, and the client's maps are not deleted. Do not set a URL if
 * another plugin computes integrity hashes of files, because the debug ids are added to the files afterwards.
 * @throws UsageError if the URL is invalid
 */
export default function sixpane(options: BuildOptions = {}) {
  const target = uploadTarget(options, 'sixpane/vite')
  let release = ''
  let keepsBrowserMaps = false
  let project: ResolvedConfig | null = null
  // Several outputs of a build, such as those of @vitejs/plugin-legacy, share a folder.
  const handledFiles = new Set<string>()
  return {
    name: 'sixpane',

    config(config: UserConfig, { command }: { command: 'build' | 'serve' }) {
      // Browsers have no `process`.
      if (command === 'serve') return { define: { 'process.env.SIXPANE_RELEASE': 'undefined' } }
      release = releaseOf(options.release, process.env, config.root ?? process.cwd())
      keepsBrowserMaps = config.build?.sourcemap !== undefined
      return {
        define: { 'process.env.SIXPANE_RELEASE': JSON.stringify(release) },
        // `define` applies only to bundled code.
        ssr: { noExternal: [/^sixpane(?:\/|$)/] },
        ...(target === null || keepsBrowserMaps ? {} : { build: { sourcemap: 'hidden' as const } }),
      }
    },

    // Astro turns off the maps of its client environment:
    // https://github.com/withastro/astro/blob/main/packages/astro/src/core/build/vite-build-config.ts
    configEnvironment(_name: string, { build }: UserConfig) {
      if (release === '' || target === null || keepsBrowserMaps || build?.sourcemap) return
      return { build: { sourcemap: 'hidden' as const } }
    },

    configResolved(config: ResolvedConfig) {
      project = config
    },

    writeBundle: {
      order: 'post' as const,
      sequential: true,
      async handler(this: Context, { dir }: { dir?: string | undefined }) {
        if (target === null || project === null || dir === undefined || this.meta.watchMode === true) return
        const isClient =
          (this.environment?.config.consumer ?? (project.build.ssr ? 'server' : 'client')) === 'client'
        await finishBuild({
          ...target,
          projectFolder: project.root,
          outputFolder: dir,
          release,
          mayChangeCode: true,
          browserFolder: isClient && !keepsBrowserMaps ? dir : null,
          handledFiles,
        })
      },
    },
  }
}
