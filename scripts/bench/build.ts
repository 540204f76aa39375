import * as esbuild from 'esbuild'
import { serverOptions } from '../build/options.mjs'
import { build } from '../build.mjs'

/** Bundles the benchmark's programs into dist/bench, with the same settings as the server. */
export async function buildForBench(withServer: boolean): Promise<void> {
  if (withServer) await build()
  await esbuild.build({
    ...serverOptions(),
    entryPoints: {
      'render-server': 'scripts/bench/render-server.ts',
      seed: 'scripts/bench/seed.ts',
      'store-errors': 'server/store/store-errors.ts',
    },
    outdir: 'dist/bench',
    sourcemap: false,
    write: true,
  })
}
