import type { Application } from './application.ts'
import { nodeService } from './node-service.ts'
import { failureAt } from './web-framework.ts'

const express: Omit<Application, 'name' | 'version' | 'isNewest'> = {
  ...nodeService,
  folder: 'express',
  failures: [
    failureAt('route', 'async route', 'src/route.js'),
    failureAt('middleware', 'middleware'),
    failureAt('router', "callback in a router's route"),
    { ...failureAt('form', 'submitted form'), button: 'Order' },
    failureAt('own-page', 'route, with its own error page'),
    failureAt('stream', 'response that was partly sent'),
  ],
}

export const expressApplications: readonly Application[] = [
  { ...express, name: 'Express 5.3', version: 'express-5', isNewest: true },
  { ...express, name: 'Express 4.22', version: 'express-4', isNewest: false },
]
