// @ts-check
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock that is older than this is removed, because its process id may now belong to another process. */
const maxAgeMs = 15 * 60_000

/** Includes the start time, because processes in containers often get the same id after a restart. */
const thisProcess = `${process.pid} ${performance.timeOrigin}`

/**
 * Runs `work` while holding a lock file that identifies this process. Waits while another running process holds the lock.
 * @param {string} path
 * @param {(line: string) => void} report
 * @param {() => Promise<void>} work
 */
export async function withLock(path, report, work) {
  await mkdir(dirname(path), { recursive: true })
  let isReported = false
  while (!(await tryToCreate(path))) {
    if (await isStale(path)) await rm(path, { force: true })
    if (!isReported) report('Waiting for another process to finish installing or building…')
    isReported = true
    await sleep(100)
  }
  try {
    await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** @param {string} path @returns {Promise<boolean>} `false` if the file exists */
async function tryToCreate(path) {
  try {
    await writeFile(path, thisProcess, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} path */
async function isStale(path) {
  try {
    const [owner, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    if (Date.now() - mtimeMs > maxAgeMs) return true
    const ownerId = Number.parseInt(owner, 10)
    if (ownerId === process.pid) return owner !== thisProcess
    // Signal 0 only tests whether the process exists.
    process.kill(ownerId, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
