import { existsSync } from 'node:fs'
import { authorizationHeaders } from '../../cli/authorization.ts'
import { uploadSourceMaps } from '../../cli/sourcemaps/upload.ts'
import { addDebugIds } from './debug-ids.ts'
import type { UploadTarget } from './options.ts'
import { removeMaps } from './remove-maps.ts'

export type CompiledBuild = UploadTarget & {
  /** The project's folder. The maps include sources from it and from the output folder. */
  projectFolder: string
  /** The output folder of the build, such as `.next`. */
  outputFolder: string
  release: string
  /** Whether files may change after the compilation; `false` if pages contain their hashes. */
  mayChangeCode: boolean
  /** The folder with the maps that browsers could request, which are deleted. `null` if there is none. */
  browserFolder: string | null
  /** The code files of earlier outputs of the same build. This output's files are added. */
  handledFiles?: Set<string>
}

/**
 * Adds debug ids to a compiled application, uploads its source maps, and deletes those that browsers could request.
 * If ids or maps are missing, only prints a warning, because that must not prevent a deployment.
 * @throws if maps cannot be deleted, because a deployment would publish the source
 */
export async function finishBuild(build: CompiledBuild): Promise<void> {
  const { outputFolder, browserFolder, mayChangeCode } = build
  try {
    if (mayChangeCode) await addDebugIds(outputFolder)
    await upload(build)
  } catch (error) {
    warn(`${incomplete}: ${String(error)}`)
  }
  if (browserFolder !== null && existsSync(browserFolder))
    await removeMaps(browserFolder, { keepsComments: !mayChangeCode })
}

const incomplete = 'Not all source maps were uploaded, so stack traces of this release may stay minified'

async function upload(build: CompiledBuild): Promise<void> {
  const { outputFolder, projectFolder, release, service, url, token, password, handledFiles } = build
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
    ...(handledFiles && { handledFiles }),
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
