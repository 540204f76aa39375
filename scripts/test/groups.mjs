// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

const folder = join('.tap', 'groups')
/** Folders with fewer test files than this share a process. */
const minGroupFiles = 5

/**
 * Finds the unit tests. Tests that start processes run alone. The others run in groups, because starting a process and
 * loading the modules takes longer than most test files.
 * @returns {{ groups: string[], alone: string[] }} entries for tap: one generated file per group, and test files
 */
export function findUnitTests() {
  const files = findTestFiles()
  const alone = files.filter(startsProcesses)
  const rest = files.filter(file => !alone.includes(file))

  const folders = [...groupBy(rest, folderOf)]
  const large = folders.filter(([, files]) => files.length >= minGroupFiles)
  const small = folders.filter(([, files]) => files.length < minGroupFiles).flatMap(([, files]) => files)

  rmSync(join(root, folder), { recursive: true, force: true })
  mkdirSync(join(root, folder), { recursive: true })
  const groups = [...large, /** @type {const} */ (['others', small])].map(([name, files]) => {
    const entry = join(folder, `${name}.test.ts`)
    const run = `await runTogether(${JSON.stringify(files, null, 2)})`
    writeFileSync(join(root, entry), `import { runTogether } from '../../scripts/test/group.ts'\n\n${run}\n`)
    return entry
  })
  return { groups, alone }
}

/** @returns {string[]} all files with unit tests */
export function findTestFiles() {
  return ['client', 'scripts', 'server', 'shared'].flatMap(testFilesIn).sort()
}

/** @param {string} part @returns {string[]} */
function testFilesIn(part) {
  return readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.test\.tsx?$/.test(path) && !/^e2e\b|\bnode_modules\b/.test(path))
    .map(path => join(part, path))
}

/** @param {string} file */
function startsProcesses(file) {
  return /node:child_process|scripts\/test\/server\.ts/.test(readFileSync(join(root, file), 'utf8'))
}

/**
 * @param {string} file @returns {string} for example `client` or `server-store`: only the server is split, because it has
 * the most tests
 */
function folderOf(file) {
  const [part = '', ...path] = file.split(/[\\/]/)
  return part === 'server' && path.length > 1 ? `server-${path[0]}` : part
}

/** @param {readonly string[]} files @param {(file: string) => string} key */
function groupBy(files, key) {
  /** @type {Map<string, string[]>} */
  const groups = new Map()
  for (const file of files) groups.set(key(file), [...(groups.get(key(file)) ?? []), file])
  return groups
}
