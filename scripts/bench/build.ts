import * as esbuild from 'esbuild'
import { build, serverOptions } from '../build.mjs'

/** Bundles the programs that the benchmark starts, as the server is bundled, into dist/bench. */
export async function buildForBench(withServer: boolean): Promise<void> {
  if (withServer) await build()
  await esbuild.build({
    ...serverOptions(),
    entryPoints: { 'render-server': 'scripts/bench/render-server.ts', seed: 'scripts/bench/seed.ts' },
    outdir: 'dist/bench',
    sourcemap: false,
    write: true,
  })
}
