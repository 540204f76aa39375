// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

/** Loading the modules takes longer than most test files, but two cores should have equal work. */
const groupFiles = 60
/** Small enough that no process runs much longer than the others. */
const storeGroupFiles = 8

/**
 * Assigns unit tests to processes. Tests that start processes run alone. Of the others, neighbours share a process, because
 * starting it and loading the modules takes longer than most test files.
 * @param {readonly string[]} files
 * @returns {{ alone: string[][], stores: string[][], groups: string[][] }} the files of each process. `stores` open stores on
 *   disk: these few files take longer than all files in `groups`.
 */
export function groupUnitTests(files) {
  const alone = files.filter(startsProcesses)
  const stores = files.filter(file => !alone.includes(file) && opensStores(file))
  const rest = files.filter(file => !alone.includes(file) && !stores.includes(file))
  return {
    alone: alone.map(file => [file]),
    stores: split(stores, storeGroupFiles),
    groups: split(rest, groupFiles),
  }
}

/** @param {readonly string[]} files @param {number} size @returns {string[][]} */
function split(files, size) {
  const count = Math.ceil(files.length / size)
  return Array.from({ length: count }, (_, index) => files.slice(index * size, (index + 1) * size))
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
  return /node:child_process|scripts\/test\/(server|clickhouse)\.ts/.test(textOf(file))
}

/** @param {string} file */
function opensStores(file) {
  // `sixpane` in server/source-maps/testing.ts opens a store, too.
  return (
    file.startsWith(join('server', 'store', 'duckdb')) || /openDuckDbStore|\bsixpane\(t\)/.test(textOf(file))
  )
}

/** @param {string} file */
function textOf(file) {
  return readFileSync(join(root, file), 'utf8')
}
