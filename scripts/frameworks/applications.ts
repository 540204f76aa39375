import type { Application } from './application.ts'
import { astroApplications } from './astro.ts'
import { expressApplications } from './express.ts'
import { fastifyApplications } from './fastify.ts'
import { nextApplications } from './next.ts'
import { nuxtApplications } from './nuxt.ts'
import { reactRouterApplications } from './react-router.ts'
import { sveltekitApplications } from './sveltekit.ts'
import { tanstackStartApplications } from './tanstack-start.ts'

export const applications: readonly Application[] = [
  ...nextApplications,
  ...reactRouterApplications,
  ...tanstackStartApplications,
  ...sveltekitApplications,
  ...nuxtApplications,
  ...astroApplications,
  ...expressApplications,
  ...fastifyApplications,
]
