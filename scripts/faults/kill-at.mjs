// @ts-check
// Loaded into a server with --import. Kills the process before or after (KILL_WHEN) a statement, a flush of events or the
// removal of a file. KILL_AT is a JSON array of patterns that match one after the other; the last one kills.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'

/** @type {string[]} */
const patterns = JSON.parse(process.env.KILL_AT ?? '[]')
const isBefore = process.env.KILL_WHEN === 'before'

/** @param {string} operation */
function isPoint(operation) {
  if (!new RegExp(patterns[0] ?? '$^').test(operation)) return false
  patterns.shift()
  return patterns.length === 0
}

const kill = () => process.kill(process.pid, 'SIGKILL')

/**
 * @param {any} object
 * @param {string} method
 * @param {(first: unknown) => string} describe
 */
function wrap(object, method, describe) {
  const original = object[method]
  object[method] = function (/** @type {unknown[]} */ ...values) {
    const kills = isPoint(describe(values[0]))
    if (kills && isBefore) kill()
    const result = original.apply(this, values)
    if (!kills) return result
    if (result instanceof Promise) return result.finally(kill)
    return kill()
  }
}

wrap(DuckDBConnection.prototype, 'run', statement => String(statement).trim())
wrap(DuckDBAppender.prototype, 'flushSync', () => 'flush')
wrap(fs, 'rm', path => `rm ${path}`)
syncBuiltinESMExports()
