// @ts-check
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** An older lock is left over: its process id may be that of another process by now. */
const longestMs = 15 * 60_000

/**
 * Does some work while a lock file names this process; waits while it names another one that runs.
 * @param {string} path
 * @param {(line: string) => void} tell
 * @param {() => Promise<void>} work
 */
export async function withLock(path, tell, work) {
  await mkdir(dirname(path), { recursive: true })
  let told = false
  while (!(await tryToCreate(path))) {
    if (await isLeftOver(path)) await rm(path, { force: true })
    if (!told) tell('Waiting for another process that installs or builds…')
    told = true
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
    await writeFile(path, String(process.pid), { flag: 'wx' })
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
    if (Date.now() - mtimeMs > longestMs) return true
    // 0 sends no signal, but fails if there is no such process.
    process.kill(Number(owner), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
