import type { Application } from './application.ts'
import { withSentry } from './sentry-build.ts'
import { failureAt, webFramework } from './web-framework.ts'

const route = (name: string, title: string, file = name) => failureAt(name, title, `app/routes/${file}.jsx`)

const reactRouter: Omit<Application, 'name' | 'version' | 'isNewest'> = {
  ...webFramework,
  folder: 'react-router',
  node: '24',
  env: { HOST: '127.0.0.1', NODE_ENV: 'production' },
  build: './node_modules/.bin/react-router build',
  start: 'exec node node_modules/@react-router/serve/dist/cli.js build/server/index.js',
  failures: [
    route('loader', 'loader'),
    {
      ...route('navigation', 'loader, after navigation in the browser', 'target'),
      button: 'Cart',
      requestPath: '/target',
    },
    route('component', 'component, rendered on the server'),
    { ...route('action', 'action'), button: 'Order' },
    route('resource', 'resource route'),
    { ...route('deferred', 'deferred data'), alsoStored: 'Unexpected Server Error' },
    { ...route('browser', 'component in the browser'), button: 'Open' },
    { ...route('click', 'event handler in the browser'), button: 'Cancel' },
  ],
}

export const reactRouterApplications: readonly Application[] = [
  { ...reactRouter, name: 'React Router 8.4', version: 'react-router-8', isNewest: true },
  {
    ...reactRouter,
    ...withSentry({
      build: reactRouter.build,
      start:
        'exec node --import ./instrument.js node_modules/@react-router/serve/dist/cli.js build/server/index.js',
    }),
    name: 'React Router 8.4 with `@sentry/react-router` 10',
    version: 'react-router-8-sentry',
    isNewest: false,
  },
  { ...reactRouter, name: 'React Router 7.18 (Vite 7)', version: 'react-router-7', isNewest: false },
]
