// @ts-check
import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process id is given out again, after a restart of the machine at the latest. */
const longestMs = 15 * 60_000

/**
 * Does some work while holding a lock file that names this process; waits while another process that is alive
 * holds it. A lock whose process has gone, or that is older than any work takes, is taken over.
 * @param {string} path
 * @param {(line: string) => void} tell
 * @param {() => Promise<void>} work
 */
export async function withLock(path, tell, work) {
  await mkdir(dirname(path), { recursive: true })
  const own = `${path}.${randomUUID()}`
  await writeFile(own, String(process.pid))
  try {
    let told = false
    // A hard link is made or refused in one step, with its content: nobody reads a lock without its owner's id.
    while (!(await tryTo(() => link(own, path)))) {
      if (await isLeftOver(path)) await rm(path, { force: true })
      if (!told) tell('Waiting for another start that is installing or building…')
      told = true
      await sleep(100)
    }
    try {
      await work()
    } finally {
      await rm(path, { force: true })
    }
  } finally {
    await rm(own, { force: true })
  }
}

/** @param {() => Promise<void>} act @returns {Promise<boolean>} whether there was nothing in its way */
async function tryTo(act) {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} path */
async function isLeftOver(path) {
  try {
    const [owner, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return !isAlive(Number(owner)) || Date.now() - mtimeMs > longestMs
  } catch {
    // It has just been given back.
    return false
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive too, but may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
