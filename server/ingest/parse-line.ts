import { stripVTControlCharacters } from 'node:util'
import { readCriLine } from '../../shared/cri-line.ts'
import type { Attributes } from '../../shared/event.ts'
import { isObject } from '../../shared/read-value.ts'
import { recordHas } from '../events/normalise.ts'
import { readLambdaLine } from './lambda-line.ts'
import { readLogfmt } from './logfmt.ts'
import { parseJson } from './parse-json.ts'
import { withOuter } from './with-outer.ts'

/** Longer lines are not parsed, because regular expressions fail on many megabytes of text. */
const maxParsedLength = 1024 * 1024

export type ParsedLine = {
  fields: Attributes
  /** The message, if the line is plain text without fields. */
  text: string | null
  /** The text at the start of the line, which may contain a level and a time: the message, or the part before a JSON object. */
  head: string | null
}

/**
 * Parses a line into fields: a JSON object, a message followed by a JSON object (the format of winston-loki), or logfmt.
 * Any other line becomes the message. Removes ANSI colours, and the prefixes that Kubernetes and AWS Lambda add to lines.
 */
export function parseLine(text: string, nowMs: number): ParsedLine {
  const line = text.trimEnd()
  if (line.length > maxParsedLength) return plainText(line)
  const container = readCriLine(line)
  if (container !== null) return withFields({ time: container.time }, parseText(container.text), nowMs)
  const lambda = readLambdaLine(line)
  if (lambda === null) return parseText(line)
  const parsed = parseText(lambda.text)
  const level = recordHas.severity(parsed.fields) ? null : lambda.level
  return withFields({ ...lambda.fields, ...(level === null ? {} : { level }) }, parsed, nowMs)
}

function withFields(outer: Attributes, parsed: ParsedLine, nowMs: number): ParsedLine {
  return { ...parsed, fields: withOuter(outer, parsed.fields, nowMs) }
}

function parseText(line: string): ParsedLine {
  return parse(line.includes('\u001b') ? stripVTControlCharacters(line).trimEnd() : line)
}

function parse(line: string): ParsedLine {
  return (
    withoutHead(readJsonLine(line)) ??
    readMessageLine(line) ??
    withoutHead(readLogfmtLine(line)) ??
    plainText(line)
  )
}

function withoutHead(fields: Attributes | null): ParsedLine | null {
  return fields === null ? null : { fields, text: null, head: null }
}

function plainText(line: string): ParsedLine {
  return { fields: { msg: line }, text: line, head: line }
}

function readJsonLine(line: string): Attributes | null {
  return /^\s*\{/.test(line) ? readObject(line) : null
}

function readMessageLine(line: string): ParsedLine | null {
  const end = line.endsWith('}') ? line.search(/[ \t]\{"/) : -1
  const fields = end === -1 ? null : readObject(line.slice(end + 1))
  if (fields === null || hasMessage(fields)) return null
  const head = line.slice(0, end).trimEnd()
  return { fields: { ...fields, msg: head }, text: null, head }
}

function readLogfmtLine(line: string): Attributes | null {
  const fields = readLogfmt(line)
  // Without a message field, the whole line is the message.
  return fields === null || hasMessage(fields) ? fields : { ...fields, msg: line }
}

function hasMessage(fields: Attributes): boolean {
  return Object.hasOwn(fields, 'msg') || Object.hasOwn(fields, 'message')
}

function readObject(text: string): Attributes | null {
  const value = text.endsWith('}') ? parseJson(text) : undefined
  return isObject(value) ? value : null
}
