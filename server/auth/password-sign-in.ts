import { HttpError } from '../http/http-error.ts'
import type { SignInMethod } from './sign-in-method.ts'

/** The `WWW-Authenticate` header that makes the browser ask for the password. */
export const basicChallenge = 'Basic realm="Sixpane", charset="UTF-8"'

/** The browser asks for the password and sends it with every request. */
export const passwordSignIn: SignInMethod = {
  userOf: () => null,
  async challenge() {
    throw new HttpError(401, 'Authentication required', { 'www-authenticate': basicChallenge })
  },
}
