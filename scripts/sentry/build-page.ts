import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles a page with its SDK, minified and with a source map, in the subfolder `id` of `output`. */
export async function buildPage({
  folder,
  application,
  id,
  output,
}: {
  folder: string
  application: string
  id: string
  output: string
}): Promise<void> {
  const target = join(output, id)
  await mkdir(target, { recursive: true })
  await build({
    absWorkingDir: folder,
    entryPoints: [application],
    outfile: join(target, 'main.js'),
    bundle: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    sourcemap: true,
    logLevel: 'error',
  })
  const html = '<!doctype html><title>Shop</title><h1>Shop</h1><script defer src="main.js"></script>'
  await writeFile(join(target, `${id}.html`), html)
}
