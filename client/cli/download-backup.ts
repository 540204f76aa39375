import { open, rename, rm } from 'node:fs/promises'
import { formatBytes } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'

type Download = {
  file: string
  /** Sixpane's address. */
  url: string
  headers: Readonly<Record<string, string>>
  print: (line: string) => void
  printError: (line: string) => void
}

/**
 * Downloads a backup. An incomplete download leaves no file with this name.
 * @returns the exit code
 */
export async function downloadBackup({ file, url, headers, print, printError }: Download): Promise<number> {
  const unfinished = `${file}.part`
  try {
    const response = await fetch(url + paths.backup(), { headers })
    if (!response.ok || response.body === null) {
      printError(`no backup: ${url} responded with ${response.status}: ${await reasonOf(response)}`)
      return 1
    }
    // Other users of this machine may not read the backup.
    const target = await open(unfinished, 'w', 0o600)
    try {
      const reader = response.body.getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read())
        await target.writeFile(part.value)
      await target.sync()
      print(`Saved ${formatBytes((await target.stat()).size)} to ${file}`)
    } finally {
      await target.close()
    }
    await rename(unfinished, file)
    return 0
  } catch (error) {
    await rm(unfinished, { force: true })
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    printError(`no backup: ${cause instanceof Error ? cause.message : String(cause)}`)
    return 1
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return String(JSON.parse(text).message)
  } catch {
    return response.statusText
  }
}
