// @ts-check
/**
 * Creates the software bill of materials of a build: the packages whose code is in the bundles, and those that an
 * installation adds. The format is CycloneDX (https://cyclonedx.org/docs/1.6/json/). The file contains no date, so that
 * identical builds produce identical files.
 */

/**
 * @typedef {{ version: string, license?: string, integrity?: string }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages packages by path, such as `node_modules/react`
 */

/**
 * @param {{ name: string, version: string, license: string }} application
 * @param {import('esbuild').Metafile[]} metafiles
 * @param {LockedPackages} locked the packages of the repository's lockfile
 * @param {LockedPackages} installed the packages that an installation adds
 */
export function createSbom({ name, version, license }, metafiles, locked, installed) {
  const bundled = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).map(packagePath)))
  const paths = [...bundled, ...Object.keys(installed)].filter(path => path !== '')
  const components = [...new Set(paths)].map(path => componentOf(path, locked[path] ?? installed[path]))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
    components: components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
  }
}

/**
 * Returns the path of the package that contains a file, as in the lockfile, or '' if the file is not in a package. The
 * `node_modules` folder may be a symbolic link.
 * @param {string} file
 */
function packagePath(file) {
  return /\bnode_modules\/(?:.*\bnode_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? ''
}

/** @param {string} path @param {LockedPackage | undefined} locked */
function componentOf(path, locked) {
  if (locked === undefined) throw new Error(`The lockfile does not list ${path}`)
  const name = path.replace(/^.*node_modules\//, '')
  // https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${locked.version}`
  const [, hash] = /^sha512-(.+)$/.exec(locked.integrity ?? '') ?? []
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version: locked.version,
    purl,
    ...(locked.license === undefined ? {} : { licenses: [licenseOf(locked.license)] }),
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  }
}

/** @param {string} license an SPDX id or an expression such as `(MIT OR Apache-2.0)` */
function licenseOf(license) {
  return license.includes(' ') ? { expression: license } : { license: { id: license } }
}
