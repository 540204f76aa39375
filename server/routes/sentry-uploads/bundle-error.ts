/** Thrown for a bundle, or a file in it, that cannot be used. Clients see the message. */
export class BundleError extends Error {
  override name = 'BundleError'
}
