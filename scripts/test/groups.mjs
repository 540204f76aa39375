// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

/** Large, because loading the modules takes longer than most tests, but small enough to give two cores equal work. */
const groupFiles = 100
/** Small enough that no process runs much longer than the others. */
const storeGroupFiles = 18
const processGroupFiles = 11
/** The files in one of these groups share a ClickHouse server. */
const clickHouseGroupFiles = 8

/**
 * Assigns unit tests to processes. Neighbouring files share a process, because starting a process and loading the modules
 * takes longer than running most test files.
 * @param {readonly string[]} files
 * @returns {{ slow: string[][], fast: string[][] }} the files of each process. The files in `slow` start processes or open
 *   stores on disk. There are few of them, but they take longer than all files in `fast`. The slowest groups come first.
 */
export function groupUnitTests(files) {
  const ofKind = (/** @type {string} */ kind) => files.filter(file => kindOf(file) === kind)
  return {
    slow: [
      ...split(ofKind('ClickHouse'), clickHouseGroupFiles),
      ...split(ofKind('processes'), processGroupFiles),
      ...split(ofKind('stores'), storeGroupFiles),
    ],
    fast: split(ofKind('fast'), groupFiles),
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
function kindOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  if (/scripts\/test\/clickhouse\.ts/.test(text)) return 'ClickHouse'
  if (/node:child_process|scripts\/test\/server\.ts/.test(text)) return 'processes'
  return text.includes('openDuckDbStore') || file.startsWith(join('server', 'store', 'duckdb'))
    ? 'stores'
    : 'fast'
}
