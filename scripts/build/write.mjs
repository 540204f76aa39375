// @ts-check
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from '../prepare/root.mjs'
import { externalPackages, installLockfile, serverManifest } from './install-manifest.mjs'
import { describeBuild } from './manifest.mjs'
import { readJson } from './read-json.mjs'
import { createSbom } from './sbom.mjs'

/** @typedef {import('./manifest.mjs').Built} Built */
/** @typedef {import('./manifest.mjs').Chunk} Chunk */

/**
 * Writes the output of all builds to dist/. Writes the manifest last, so that the files it lists always exist.
 * @param {Built} client
 * @param {Built} server
 * @param {Built[]} sdk
 * @param {{ compress: boolean }} options `compress: false` makes development builds faster
 */
export async function writeBuild(client, server, sdk, { compress }) {
  const assets = client.outputFiles.filter(file => !file.path.endsWith('.map'))
  const maps = client.outputFiles.filter(file => file.path.endsWith('.map'))

  const folder = join(root, 'dist')
  const folders = ['assets', 'maps', 'server', 'sdk', 'cli']
  const next = join(folder, `.next-${process.pid}`)
  await rm(next, { recursive: true, force: true })
  for (const name of folders) await mkdir(join(next, name), { recursive: true })

  await Promise.all(maps.map(file => writeFile(join(next, 'maps', basename(file.path)), file.contents)))
  await Promise.all(
    server.outputFiles.map(file =>
      writeFile(join(next, 'server', basename(file.path)), withoutPackageSources(file)),
    ),
  )
  await Promise.all(
    sdk
      .flatMap(({ outputFiles }) => outputFiles)
      .map(file => writeFile(join(next, relative(folder, file.path)), file.contents)),
  )
  const chunks = await Promise.all(assets.map(file => writeAsset(join(next, 'assets'), file, compress)))
  chunks.sort((a, b) => b.rawBytes - a.rawBytes)

  await rm(join(folder, 'manifest.json'), { force: true })
  for (const name of folders) {
    await rm(join(folder, name), { recursive: true, force: true })
    await rename(join(next, name), join(folder, name))
  }
  await rm(next, { recursive: true, force: true })

  await writeInstallFiles(folder, client, server, sdk)
  const manifest = await describeBuild(client, server, chunks)
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/**
 * @param {string} folder
 * @param {Built} client
 * @param {Built} server
 * @param {Built[]} sdk
 */
async function writeInstallFiles(folder, client, server, sdk) {
  const packageFile = await readJson('package.json')
  const lockfile = await readJson('package-lock.json')
  const manifest = serverManifest(packageFile, lockfile, externalPackages(server.metafile))
  const installed = installLockfile(lockfile, manifest)
  const { '': _server, ...added } = installed.packages
  const metafiles = [client, server, ...sdk].map(({ metafile }) => metafile)
  const sbom = createSbom(packageFile, metafiles, lockfile.packages, added)
  await writeFile(join(folder, 'sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(installed, null, 2)}\n`)
}

/**
 * Removes package sources from the server's source map, because failures show only Sixpane's source, and the map stays in
 * memory after the first failure.
 * @param {import('esbuild').OutputFile} file
 */
function withoutPackageSources(file) {
  if (!file.path.endsWith('.map')) return file.contents
  const map = JSON.parse(file.text)
  map.sourcesContent = map.sourcesContent.map((/** @type {string} */ text, /** @type {number} */ index) =>
    map.sources[index].includes('node_modules/') ? null : text,
  )
  return JSON.stringify(map)
}

/**
 * @param {string} folder
 * @param {import('esbuild').OutputFile} file
 * @param {boolean} compress
 * @returns {Promise<Chunk>}
 */
async function writeAsset(folder, file, compress) {
  const name = basename(file.path)
  await writeFile(join(folder, name), file.contents)
  const rawBytes = file.contents.byteLength
  // Web fonts are compressed already.
  if (!compress || name.endsWith('.woff2'))
    return { name, rawBytes, gzipBytes: rawBytes, brotliBytes: rawBytes }
  const [brotliBody, gzipBody] = await Promise.all([
    smallestBrotli(file.contents),
    promisify(gzip)(file.contents, { level: 9 }),
  ])
  await writeFile(join(folder, `${name}.br`), brotliBody)
  await writeFile(join(folder, `${name}.gz`), gzipBody)
  return { name, rawBytes, gzipBytes: gzipBody.byteLength, brotliBytes: brotliBody.byteLength }
}

/**
 * Compresses a file with several block sizes, because a change of a few bytes can make the result 0.2% larger with one size
 * but not with another.
 * @param {Uint8Array} contents
 * @returns {Promise<Buffer>} the smallest result
 */
async function smallestBrotli(contents) {
  // A smaller file is a single block.
  const blockBits = contents.byteLength > 2 ** 16 ? [16, 18, 20] : [16]
  const results = await Promise.all(
    blockBits.map(bits =>
      promisify(brotliCompress)(contents, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGBLOCK]: bits },
      }),
    ),
  )
  return results.reduce((smallest, each) => (each.byteLength < smallest.byteLength ? each : smallest))
}
