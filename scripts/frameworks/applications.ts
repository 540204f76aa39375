import type { Application } from './application.ts'
import { expressApplications } from './express.ts'
import { fastifyApplications } from './fastify.ts'
import { nextApplications } from './next.ts'

export const applications: readonly Application[] = [
  ...nextApplications,
  ...expressApplications,
  ...fastifyApplications,
]
