import { route } from '@react-router/dev/routes'

const names = [
  'loader',
  'navigation',
  'target',
  'component',
  'action',
  'resource',
  'deferred',
  'click',
  'browser',
]

export default [
  route('/', 'routes/home.jsx', { index: true }),
  ...names.map(name => route(`/${name}`, `routes/${name}.jsx`)),
]
