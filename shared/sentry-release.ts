/**
 * Splits a Sentry release name (`shop@1.2.3`, `@scope/shop@1.2.3`) into the package, which becomes the service if nothing
 * else specifies one, and the version (https://docs.sentry.io/product/releases/naming-releases/). A missing part is
 * `null`.
 */
export function splitRelease(release: string): { packageName: string | null; version: string | null } {
  const name = release.trim()
  const at = name.lastIndexOf('@')
  const version = at > 0 ? name.slice(at + 1).trim() : name
  return {
    packageName: at > 0 ? name.slice(0, at).trim() || null : null,
    // Sentry's bundler plugins write `undefined` for a build without a release.
    version: version === '' || version === 'undefined' ? null : version,
  }
}
