// @ts-check
// Loaded into a server with --import. Kills the process before or after (KILL_WHEN) a statement, a flush of events or the
// removal of a file. KILL_AT is a JSON array of patterns, which operations must match in this order. The process is killed when
// the last pattern matches.
import fs from 'node:fs/promises'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/** @type {string[]} */
const patterns = JSON.parse(process.env.KILL_AT ?? '[]')
const isBefore = process.env.KILL_WHEN === 'before'

/** @param {string} operation */
function isPoint(operation) {
  if (!new RegExp(patterns[0] ?? '$^').test(operation)) return false
  patterns.shift()
  return patterns.length === 0
}

const kill = () => {
  process.kill(process.pid, 'SIGKILL')
}

/**
 * @template {unknown[]} Values
 * @template Result
 * @param {(...values: Values) => Result} original
 * @param {(...values: Values) => string} describe
 * @returns {(...values: Values) => Result}
 */
function killAround(original, describe) {
  return (...values) => {
    const kills = isPoint(describe(...values))
    if (kills && isBefore) kill()
    const result = original(...values)
    if (!kills) return result
    if (result instanceof Promise) result.finally(kill)
    else kill()
    return result
  }
}

// Wraps the native bindings, because the server's bundle contains the rest of the database client. The properties of the
// bindings are read-only, so a derived object overrides them.
const require = createRequire(import.meta.url)
const bindings = require('@duckdb/node-bindings')
const loaded = require.cache[require.resolve('@duckdb/node-bindings')]
if (loaded === undefined) throw new Error('The native bindings are not in the module cache')
/** The text of each extracted and prepared statement. @type {WeakMap<object, string>} */
const texts = new WeakMap()
loaded.exports = Object.create(bindings, {
  query: { value: killAround(bindings.query, (_, statement) => String(statement).trim()) },
  extract_statements: {
    /** @param {import('@duckdb/node-bindings').Connection} connection @param {string} statement */
    async value(connection, statement) {
      const result = await bindings.extract_statements(connection, statement)
      texts.set(result.extracted_statements, statement.trim())
      return result
    },
  },
  prepare_extracted_statement: {
    /** @param {import('@duckdb/node-bindings').Connection} connection @param {import('@duckdb/node-bindings').ExtractedStatements} statements @param {number} index */
    async value(connection, statements, index) {
      const prepared = await bindings.prepare_extracted_statement(connection, statements, index)
      texts.set(prepared, texts.get(statements) ?? '')
      return prepared
    },
  },
  execute_prepared: {
    value: killAround(bindings.execute_prepared, prepared => texts.get(Object(prepared)) ?? ''),
  },
  appender_flush_sync: { value: killAround(bindings.appender_flush_sync, () => 'flush') },
})
fs.rm = killAround(fs.rm, path => `rm ${path}`)
syncBuiltinESMExports()
