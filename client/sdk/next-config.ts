/**
 * `sixpane/next/config`: prepares production builds of Next.js, so that failures show the original source. In
 * `next.config.js`, `next.config.mjs` or `next.config.ts`:
 *
 *   import { withSixpane } from 'sixpane/next/config'
 *   export default withSixpane(nextConfig, { url: 'http://127.0.0.1:3000', service: 'shop' })
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { finishBuild } from './build/finish-build.ts'
import { type BuildOptions, uploadTarget } from './build/options.ts'
import { releaseOf } from './build/release.ts'

export type { BuildOptions as Options }

// The parts of Next.js's configuration that we use:
// https://github.com/vercel/next.js/blob/canary/packages/next/src/server/config-shared.ts
type NextConfig = {
  env?: Record<string, string | undefined>
  productionBrowserSourceMaps?: boolean
  experimental?: { serverSourceMaps?: boolean; sri?: unknown }
  compiler?: { runAfterProductionCompile?: (build: CompiledIn) => Promise<void> }
  webpack?: ((config: WebpackConfig, context: WebpackContext) => WebpackConfig) | null
}
type ConfigFunction = (...args: unknown[]) => NextConfig | Promise<NextConfig>
type CompiledIn = { projectDir: string; distDir: string }
type WebpackContext = { dir: string; isServer: boolean; config: { distDir: string } }
type WebpackConfig = { plugins?: unknown[] }
type WebpackCompiler = { hooks: { done: { tapPromise(name: string, run: () => Promise<void>): void } } }

/**
 * Extends a Next.js configuration (an object, a promise, or a function that returns either) for production builds. Each
 * build gets a release, which `reportTo()` uses and compiled code contains as `process.env.SIXPANE_RELEASE`. If there is a
 * URL, the build also gets source maps and debug ids. The maps are uploaded after the compilation, and the browser's maps
 * are then deleted, unless the configuration already enables `productionBrowserSourceMaps`.
 * @throws UsageError if the URL is invalid
 */
export function withSixpane<Config extends object>(config: Config, options?: BuildOptions): Config
export function withSixpane(
  config: NextConfig | Promise<NextConfig> | ConfigFunction,
  options: BuildOptions = {},
): unknown {
  if (process.env.NODE_ENV !== 'production') return config
  if (typeof config === 'function')
    return async (...args: unknown[]) => extend(await config(...args), options)
  return config instanceof Promise ? config.then(each => extend(each, options)) : extend(config, options)
}

function extend(config: NextConfig, options: BuildOptions): NextConfig {
  const { env } = process
  const release = releaseOf(options.release || config.env?.SIXPANE_RELEASE, env, process.cwd())
  const released = { ...config, env: { ...config.env, SIXPANE_RELEASE: release } }
  const target = uploadTarget(options, 'withSixpane')
  if (target === null) return released

  const finish = ({ projectDir, distDir }: CompiledIn) => {
    const outputFolder = resolve(projectDir, distDir)
    return finishBuild({
      ...target,
      projectFolder: projectDir,
      outputFolder,
      release,
      // For subresource integrity, pages contain the hashes of the files.
      mayChangeCode: config.experimental?.sri === undefined,
      browserFolder: config.productionBrowserSourceMaps === true ? null : join(outputFolder, 'static'),
    })
  }
  const withMaps = {
    ...released,
    productionBrowserSourceMaps: config.productionBrowserSourceMaps ?? true,
    experimental: { ...config.experimental, serverSourceMaps: config.experimental?.serverSourceMaps ?? true },
  }
  return hasCompileHook() ? afterCompile(withMaps, finish) : afterWebpack(withMaps, finish)
}

function afterCompile(config: NextConfig, finish: (build: CompiledIn) => Promise<void>): NextConfig {
  const run = config.compiler?.runAfterProductionCompile
  return {
    ...config,
    compiler: {
      ...config.compiler,
      async runAfterProductionCompile(build) {
        await run?.(build)
        await finish(build)
      },
    },
  }
}

/** Older versions compile with webpack, and compile the browser's code last. */
function afterWebpack(config: NextConfig, finish: (build: CompiledIn) => Promise<void>): NextConfig {
  return {
    ...config,
    webpack(webpackConfig, context) {
      const extended = config.webpack?.(webpackConfig, context) ?? webpackConfig
      if (context.isServer) return extended
      const build = { projectDir: context.dir, distDir: context.config.distDir }
      const plugin = {
        apply({ hooks }: WebpackCompiler) {
          hooks.done.tapPromise('sixpane', () => finish(build))
        },
      }
      return { ...extended, plugins: [...(extended.plugins ?? []), plugin] }
    },
  }
}

/**
 * Whether the installed Next.js has `compiler.runAfterProductionCompile`, which 15.4 added. `next build apps/web` runs in
 * the root of a monorepo, where Next.js may not be installed, so the path of the `next` command is searched too.
 */
function hasCompileHook(): boolean {
  const [, command = ''] = process.argv
  return [join(process.cwd(), 'package.json'), resolve(command)].some(from => {
    try {
      createRequire(from).resolve('next/dist/build/after-production-compile.js')
      return true
    } catch {
      return false
    }
  })
}
