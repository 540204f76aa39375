/** Thrown if a user cannot sign in. The user sees the message, so it must not contain internal details. */
export class SignInError extends Error {
  override name = 'SignInError'
  constructor(
    /** The status of the response. */
    readonly status: 400 | 403 | 502 | 503,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
