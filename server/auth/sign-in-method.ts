import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '../../shared/user.ts'

/** How users sign in. */
export type SignInMethod = {
  /** Returns the user who sent the request, or `null` if nobody is signed in. @throws HttpError if the user has no access */
  userOf(request: FastifyRequest): User | null
  /** Responds to a request without a user. @throws HttpError */
  challenge(request: FastifyRequest, reply: FastifyReply): Promise<void>
}
