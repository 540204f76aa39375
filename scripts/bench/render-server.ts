/**
 * Runs Sixpane with dashboard content that is computed only for the first request, so that the benchmark measures only the
 * work that the frameworks also do: rendering, compressing and sending.
 */
import { fileURLToPath } from 'node:url'
import { readBuild } from '../../server/build.ts'
import { dashboard } from '../../server/screens/dashboard/dashboard.ts'
import { readConfig } from '../../server/settings/config.ts'
import { startModules } from '../../server/start-modules.ts'

const getContent = dashboard.get
let ready: ReturnType<typeof getContent> | null = null
dashboard.get = (request, context) => {
  ready ??= getContent(request, context)
  return ready
}

const { app } = await startModules(
  readConfig(process.env),
  await readBuild(fileURLToPath(new URL('..', import.meta.url))),
)
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
