// @ts-check
/**
 * Creates the manifests of the two packages, and the lockfile of the server. They list only packages that are not in the
 * bundles, so nothing else is installed in the image or with the packages.
 */
import { isBuiltin } from 'node:module'

/**
 * @typedef {{
 *   version: string
 *   dependencies?: Record<string, string>
 *   optionalDependencies?: Record<string, string>
 * }} LockedPackage
 * @typedef {{ lockfileVersion: number, packages: Record<string, LockedPackage> }} Lockfile
 * @typedef {{ name: string, version: string, bin: unknown, exports: unknown } & Record<string, unknown>} PackageFile
 */

/**
 * Lists the packages that a bundle imports at run time.
 * @param {import('esbuild').Metafile} metafile
 */
export function externalPackages({ outputs }) {
  const imports = Object.values(outputs).flatMap(output => output.imports)
  const packages = imports.filter(
    each => each.external && !isBuiltin(each.path) && !each.path.startsWith('.'),
  )
  return [...new Set(packages.map(each => each.path))]
}

/**
 * The manifest of the clients and the command, which have no dependencies.
 * @param {PackageFile} packageFile the repository's package.json
 */
export function clientManifest({ name, version, description, license, type, engines, bin, exports }) {
  return {
    ...{ name, version, description, license, type, engines },
    bin: relativeToDist(bin),
    exports: relativeToDist(exports),
    files: ['cli', 'sdk'],
    // Only `sixpane/react-router` uses React.
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  }
}

/**
 * The manifest of the server.
 * @param {PackageFile} packageFile the repository's package.json
 * @param {Pick<Lockfile, 'packages'>} lockfile the repository's lockfile
 * @param {string[]} externals
 */
export function serverManifest(packageFile, { packages }, externals) {
  const { name, version, license, type, engines } = packageFile
  return {
    name: `${name}-server`,
    version,
    description: `The ${name} server`,
    license,
    type,
    engines,
    exports: './server/main.js',
    files: ['assets', 'maps', 'server', 'manifest.json'],
    dependencies: Object.fromEntries(externals.map(each => [each, versionOf(each, packages)])),
  }
}

/** @param {string} name @param {Lockfile['packages']} packages */
function versionOf(name, packages) {
  const locked = packages[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`The bundle imports ${name}, which the lockfile does not list`)
  return locked.version
}

/**
 * Returns the part of the lockfile that the dependencies need.
 * @param {Lockfile} lockfile the repository's lockfile
 * @param {Pick<ReturnType<typeof serverManifest>, 'name' | 'version' | 'dependencies'>} manifest
 */
export function installLockfile({ lockfileVersion, packages }, { name, version, dependencies }) {
  /** @type {Record<string, LockedPackage>} */
  const needed = {}
  /** @param {string} from @param {LockedPackage} by */
  const add = (from, by) => {
    for (const each of Object.keys({ ...by.dependencies, ...by.optionalDependencies })) {
      const path = installedPath(packages, from, each)
      const locked = packages[path]
      if (locked === undefined) throw new Error(`The lockfile has no ${each}: run npm install`)
      if (path in needed) continue
      needed[path] = locked
      add(path, locked)
    }
  }
  const root = { name, version, dependencies }
  add('', root)
  return { name, version, lockfileVersion, requires: true, packages: { '': root, ...needed } }
}

/**
 * Resolves an import of the package at `from` like Node: in the package's node_modules folder, or the nearest one above it.
 * @param {Record<string, LockedPackage>} packages
 * @param {string} from
 * @param {string} name
 */
function installedPath(packages, from, name) {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at}/node_modules/${name}`
    if (path in packages) return path
  }
  return `node_modules/${name}`
}

/**
 * Makes paths relative to dist/, whose folders are at the top level of the package.
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
function relativeToDist(value) {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(\.\/)?dist\//g, '"$1'))
}
