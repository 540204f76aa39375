// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

/** Small enough that no process runs much longer than the others. */
const groupFiles = 12

/**
 * Assigns unit tests to processes. Tests that start processes run alone. Of the others, neighbours share a process, because
 * starting it and loading the modules takes longer than most test files.
 * @param {readonly string[]} files
 * @returns {{ alone: string[][], groups: string[][] }} the files of each process
 */
export function groupUnitTests(files) {
  const alone = files.filter(startsProcesses)
  const rest = files.filter(file => !alone.includes(file))
  const count = Math.ceil(rest.length / groupFiles)
  const groups = Array.from({ length: count }, (_, index) =>
    rest.slice(index * groupFiles, (index + 1) * groupFiles),
  )
  // The tests of the store take longest, so they start first.
  return { alone: alone.map(file => [file]), groups: groups.reverse() }
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
  return /node:child_process|scripts\/test\/(server|clickhouse)\.ts/.test(
    readFileSync(join(root, file), 'utf8'),
  )
}
