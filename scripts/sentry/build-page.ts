import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles the page with the SDK in a folder, minified and with a source map, in a subfolder of `output`. */
export async function buildPage({
  folder,
  id,
  output,
}: {
  folder: string
  id: string
  output: string
}): Promise<void> {
  const target = join(output, id)
  await mkdir(target, { recursive: true })
  await build({
    absWorkingDir: folder,
    entryPoints: ['browser.js'],
    outfile: join(target, 'main.js'),
    bundle: true,
    minify: true,
    sourcemap: true,
    logLevel: 'error',
  })
  const html = '<!doctype html><title>Shop</title><h1>Shop</h1><script defer src="main.js"></script>'
  await writeFile(join(target, `${id}.html`), html)
}
