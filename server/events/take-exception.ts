import type { Exception, Json } from '../../shared/event.ts'
import * as names from '../../shared/field-names.ts'
import { isObject, readName, readText } from '../../shared/read-value.ts'
import { exceptionInStack } from '../stacks/exception-in-text.ts'
import { stackFrames } from '../stacks/stack.ts'
import { noRoom } from './clean.ts'
import {
  type ErrorParts,
  printStack,
  readCauses,
  readErrors,
  readListedStack,
  readStack,
  withLocation,
} from './read-error.ts'
import { Fields, nextBit, pathsOf } from './take.ts'

const within = (name: string, parts: readonly string[]) => parts.map(part => `${name}.${part}`)

const errorFields = names.errorNames.map(name => {
  const bit = nextBit()
  return {
    name,
    bit,
    text: pathsOf([name], { bit }),
    message: pathsOf(within(name, names.errorMessageNames), { bit }),
    stack: pathsOf(within(name, names.errorStackNames), { bit }),
    frames: pathsOf(within(name, names.errorFramesNames), { bit }),
    type: pathsOf(within(name, names.errorTypeNames), { bit }),
  }
})
const stacks = pathsOf(names.stackNames)

/** The names of all fields that `takeException` reads. */
export const exceptionNames = [
  ...names.errorNames.flatMap(name =>
    within(name, [
      ...[...names.errorMessageNames, ...names.errorTypeNames],
      ...[...names.errorStackNames, ...names.errorFramesNames],
    ]),
  ),
  ...names.stackNames,
]

/**
 * Removes the exception from a record and returns it. The exception may be text, an object with a message and a stack, a list
 * of an error and its causes, or a stack next to the record's message. Lists of errors and the other fields of an object
 * (`code`, `cause`) remain. Returns `null` if there is no exception.
 */
export function takeException(fields: Fields): Exception | null {
  const exception = fields.first(takeFromErrorField)
  if (exception !== null && exception.stack !== null) return exception
  const stack = fields.take(stacks, parseTrace)
  if (stack === null) return exception
  return exception === null ? fromText(stack) : { ...exception, stack }
}

/** Takes the exception from a message that is an object, as in AWS Lambda's JSON format. */
export function takeExceptionInMessage({ remaining: { message } }: Fields): Exception | null {
  return isObject(message) ? takeException(new Fields(message)) : null
}

function takeFromErrorField(fields: Fields): Exception | null {
  for (const { name, bit, text, message, stack, frames, type } of errorFields) {
    if (!fields.mayHave({ bit })) continue
    const asText = fields.takeHere(text, readThrown)
    if (asText !== null) return asText
    const error = fields.remaining[name]
    const [first, ...causes] = readErrors(error) ?? []
    if (first !== undefined) return toException(first, causes)
    const messageText = fields.takeHere(message, readText)
    const trace = fields.takeHere(stack, readStack) ?? fields.takeHere(frames, readListedStack)
    // A type alone is an error class (OpenTelemetry's `error.type`), not an exception.
    if (messageText === null && trace === null) continue
    const typeName = fields.takeHere(type, readName)
    return toException(
      { type: typeName, message: messageText, stack: withLocation(error, trace) },
      readCauses(error),
    )
  }
  return null
}

function readThrown(value: Json): Exception | null {
  return typeof value === 'string' && value !== '' && value !== noRoom ? fromText(value) : null
}

function toException(error: ErrorParts, causes: readonly ErrorParts[]): Exception {
  const stack = printStack(error, causes)
  const inStack = stack === null ? null : fromText(stack)
  return { type: betterType(error.type, inStack), message: error.message ?? inStack?.message ?? '', stack }
}

function parseTrace(value: Json): string | null {
  const stack = printStack({ type: '', message: '', stack: readStack(value) }, [])?.replace(/^\n/, '') ?? ''
  return stackFrames(stack).length > 0 ? stack : null
}

/**
 * Loggers and OpenTelemetry send the name of the class, which a minifier shortens to a few letters (`n`). Replaces such a
 * name with the one at the start of the stack, unless that one is also short or is `Error`: `DB` may be the original name.
 */
function betterType(type: string | null, inStack: Exception | null): string {
  if (type === null) return inStack?.type ?? 'Error'
  const isShort = type.length <= 3
  return isShort && inStack !== null && inStack.type.length > 3 && inStack.type !== 'Error'
    ? inStack.type
    : type
}

/** Parses less strictly than `exceptionInText`, because the field name already identifies the text as an exception. */
function fromText(text: string): Exception {
  const parsed = exceptionInStack(text)
  if (parsed !== null) return { ...parsed.exception, stack: parsed.exception.stack === null ? null : text }
  const [, type = 'Error', message = text] =
    /^(?:Uncaught )?([A-Z][\w.$]{0,100}): ([\s\S]*)$/.exec(text.slice(0, 10_000)) ?? []
  return stackFrames(text).length > 0 ? { type, message: '', stack: text } : { type, message, stack: null }
}
