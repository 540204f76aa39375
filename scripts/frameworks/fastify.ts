import type { Application } from './application.ts'
import { nodeService } from './node-service.ts'
import { failureAt } from './web-framework.ts'

export const fastifyApplications: readonly Application[] = [
  {
    ...nodeService,
    name: 'Fastify 5.12',
    folder: 'fastify',
    version: 'fastify-5',
    isNewest: true,
    failures: [
      failureAt('route', 'route'),
      failureAt('hook', 'hook'),
      failureAt('plugin', 'plugin route'),
      failureAt('reply', 'reply that cannot be serialised'),
      failureAt('stream', 'stream'),
      failureAt('later', 'stream that was partly sent'),
    ],
  },
]
