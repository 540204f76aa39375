/**
 * Returns the version in a release name of Sentry (`shop@1.2.3`, `@scope/shop@1.2.3`), because Sixpane stores the package as
 * the service. Returns `null` if the name contains no version.
 */
export function releaseVersion(release: string): string | null {
  const name = release.trim()
  const at = name.lastIndexOf('@')
  const version = at > 0 ? name.slice(at + 1).trim() : name
  // Sentry's bundler plugins write `undefined` for a build without a release.
  return version === '' || version === 'undefined' ? null : version
}
