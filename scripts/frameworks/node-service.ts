import type { Application } from './application.ts'
import { webFramework } from './web-framework.ts'

/** Bundles and minifies a service without its dependencies, and uploads the source map. */
const build = [
  './node_modules/.bin/esbuild src/main.js --bundle --packages=external --platform=node --format=esm --minify --sourcemap',
  '--outfile=dist/main.js "--define:process.env.SIXPANE_RELEASE=\\"$SIXPANE_RELEASE\\""',
  '&& node node_modules/sixpane/dist/cli/main.js sourcemaps upload --release "$SIXPANE_RELEASE" --service shop dist',
].join(' ')

/** The common properties of Node services that have no browser code. */
export const nodeService: Pick<Application, 'env' | 'build' | 'start' | 'isPiped' | 'visibleId'> = {
  ...webFramework,
  env: { NODE_ENV: 'production' },
  build,
  start: 'exec node dist/main.js',
}
