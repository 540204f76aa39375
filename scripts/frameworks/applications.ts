import type { Application } from './application.ts'
import { astroApplications } from './astro.ts'
import { expressApplications } from './express.ts'
import { fastifyApplications } from './fastify.ts'
import { nextApplications } from './next.ts'
import { reactRouterApplications } from './react-router.ts'
import { sveltekitApplications } from './sveltekit.ts'

export const applications: readonly Application[] = [
  ...nextApplications,
  ...reactRouterApplications,
  ...sveltekitApplications,
  ...astroApplications,
  ...expressApplications,
  ...fastifyApplications,
]
