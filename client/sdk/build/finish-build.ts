import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { authorizationHeaders } from '../../cli/authorization.ts'
import { uploadSourceMaps } from '../../cli/sourcemaps/upload.ts'
import { addDebugIds } from './debug-ids.ts'
import { removeMaps } from './remove-maps.ts'

export type CompiledBuild = {
  /** The project's folder, which also contains sources. */
  projectFolder: string
  /** The output folder of the build: `.next`. */
  outputFolder: string
  url: string
  token: string | undefined
  password: string | undefined
  release: string
  service: string | null
  /** Whether files may change after the compilation. Not if pages contain hashes of them. */
  mayChangeCode: boolean
  /** Whether the application publishes its browser maps. */
  keepsBrowserMaps: boolean
}

/**
 * Adds debug ids to a compiled Next.js application, uploads its source maps, and deletes those that browsers could request.
 * If ids or maps are not complete, only prints a warning, because that must not prevent a deployment.
 * @throws if maps cannot be deleted, because a deployment would publish the source
 */
export async function finishBuild(build: CompiledBuild): Promise<void> {
  const { outputFolder, mayChangeCode, keepsBrowserMaps } = build
  try {
    if (mayChangeCode) await addDebugIds(outputFolder)
    await upload(build)
  } catch (error) {
    warn(`${incomplete}: ${String(error)}`)
  }
  const browserFolder = join(outputFolder, 'static')
  if (!keepsBrowserMaps && existsSync(browserFolder))
    await removeMaps(browserFolder, { keepsComments: !mayChangeCode })
}

const incomplete = 'Not all source maps were uploaded, so stack traces of this release may stay minified'

async function upload(build: CompiledBuild): Promise<void> {
  const { outputFolder, projectFolder, release, service, url, token, password } = build
  let summary = ''
  const code = await uploadSourceMaps({
    folder: outputFolder,
    release,
    service,
    destination: { url, headers: authorizationHeaders(token, password) },
    workingFolder: projectFolder,
    print: line => {
      summary = line
    },
    printError: warn,
  })
  if (code === 0) print(summary)
  else warn(incomplete)
}

function print(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the log of the build
  console.log(`(sixpane) ${line}`)
}

function warn(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the log of the build
  console.warn(`(sixpane) ${line}`)
}
