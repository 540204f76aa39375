import type { Json } from '../../shared/event.ts'
import { errorIdNames, errorNames, wrapperNames } from '../../shared/field-names.ts'
import { isObject, readText } from '../../shared/read-value.ts'
import type { Fields, Remaining } from './take.ts'

/** Fields that contain an error, its causes or its attributes. */
const wrappers = new Set([
  ...errorNames,
  ...['reason', 'cause', 'errors', 'aggregateErrors', 'next', 'nextjs'],
  ...['attributes', 'data', 'meta', ...wrapperNames],
])
/** A 128-bit hash in hexadecimal digits, or a hash of 128, 160 or 256 bits in Base64 without padding. */
const hash = /^(?:[\da-f]{32}|[\w+/-]{22}|[\w+/-]{27}|[\w+/-]{43})$/i
const maxDepth = 6
const maxErrors = 10

/**
 * Removes the error digest from a record and returns it: `digest`, or the digest of an error in the record (`err.digest`,
 * `error.cause.digest`, `attributes: { 'exception.digest': … }`), outermost first. Ignores content digests (`sha256:…`).
 * @param isFailure whether the record reports a failure. In other records, a digest must contain a digit and not have the
 *   length of a hash, so `digest: 'weekly'` and the MD5 hash of a file stay attributes.
 */
export function takeDigest(fields: Fields, isFailure: boolean): string | null {
  const read = (value: Json) => {
    const digest = readDigest(value)
    return digest === null || isFailure || (/\d/.test(digest) && !hash.test(digest)) ? digest : null
  }
  return fields.first(({ remaining }) => takeFrom({ matches: isDigest, read, keeps: false }, remaining))
}

/**
 * Returns the error id that an application showed to its visitor. Used as the digest of a record that has none. The field
 * remains an attribute, because other records may have the same id, for example all log lines of a request.
 */
export function findErrorId(fields: Fields): string | null {
  for (const names of errorIdNames) {
    const wanted = { matches: (key: string) => names.includes(key), read: readDigest, keeps: true }
    const id = fields.first(({ remaining }) => takeFrom(wanted, remaining))
    if (id !== null) return id
  }
  return null
}

/** Whether `takeDigest` or `findErrorId` searches fields with this name. */
export function canContainDigest(key: string): boolean {
  return isDigest(key) || isErrorId(key) || isWrapper(key)
}

type Wanted = {
  matches: (key: string) => boolean
  read: (value: Json) => string | null
  /** Whether the field remains in the record. */
  keeps: boolean
}

function takeFrom(wanted: Wanted, parent: Remaining, depth = maxDepth): string | null {
  const keys = Object.keys(parent)
  for (const key of keys) {
    const digest = wanted.matches(key) ? wanted.read(parent[key] ?? null) : null
    if (digest === null) continue
    if (!wanted.keeps) delete parent[key]
    return digest
  }
  if (depth === 0) return null
  for (const key of keys) {
    if (!isWrapper(key)) continue
    const value = parent[key]
    for (const inner of Array.isArray(value) ? value.slice(0, maxErrors) : [value]) {
      const digest = isObject(inner) ? takeFrom(wanted, inner, depth - 1) : null
      if (digest !== null) return digest
    }
  }
  return null
}

function isDigest(key: string): boolean {
  return key === 'digest' || (key.endsWith('.digest') && isWrapper(key.slice(0, -'.digest'.length)))
}

const allErrorIdNames = new Set(errorIdNames.flat())

function isErrorId(key: string): boolean {
  return allErrorIdNames.has(key)
}

function isWrapper(key: string): boolean {
  return wrappers.has(key) || (key.includes('.') && key.split('.').every(part => wrappers.has(part)))
}

/**
 * Reads a digest that an error page may show: one short word. Ignores content hashes (images, HTTP's `Digest`) and the
 * digest of the error that Next.js throws to redirect (`NEXT_REDIRECT;replace;/login;307;`).
 */
function readDigest(value: Json): string | null {
  const text = readText(value)
  if (text === null || !/^[^\s;:=,'"]{1,100}$/.test(text)) return null
  return /^(?:[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96})$/i.test(text) ? null : text
}

/**
 * Finds the first digest in the text of a failure: `digest: '2338471'` as printed by Node's `inspect`, `"digest":"2338471"` in
 * JSON, `Digest: 2338471` as copied from the page. Later digests belong to causes. Ignores `ERROR 2338471`, which Next.js 16
 * shows on the page, because a number after `ERROR` in a log line may be any error code.
 */
export function digestInText(text: string): string | null {
  for (const [, , quoted, bare] of text.matchAll(inText)) {
    const digest = readDigest(quoted ?? bare ?? null)
    if (digest !== null) return digest
  }
  return null
}

// Without quotes, matches only the digest formats of Next.js (decimal) and Sixpane (ten hexadecimal digits).
const inText =
  /(?<![\w.$-])digest(?:\\{0,7}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,7}(["'])([\w@.-]{1,100})\\{0,7}\1|(\d{5,10}(?:@E\d{1,5})?|(?=[a-f]{0,9}\d)[\da-f]{10})(?=$|[\s,;.)\]}]))/gi
