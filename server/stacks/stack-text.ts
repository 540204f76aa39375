import { dotnetText, headOf, javaText, pythonText } from './runtime-text.ts'
import type { ThrownException, ThrownFrame } from './thrown-exception.ts'

type Print = (chain: readonly ThrownException[]) => string

const printers: ReadonlyMap<string, Print> = new Map([
  ['csharp', dotnetText],
  ['go', chain => textOf(chain, goFrame)],
  ['java', javaText],
  ['python', pythonText],
])

/**
 * Formats a chain of exceptions as the runtime prints it, so that a failure has the same frames and fingerprint as in a log
 * line. Returns `null` if no exception has frames.
 * @param chain the thrown exception first, followed by its causes
 */
export function stackText(chain: readonly ThrownException[], platform: string): string | null {
  if (chain.every(({ frames }) => frames.length === 0)) return null
  const print = printers.get(platform)
  // The V8 format is also used for other runtimes, such as Ruby and PHP, because it contains the same frames.
  return print === undefined ? textOf(chain, v8Frame) : print(chain)
}

/** Prints causes as pino does. */
function textOf(chain: readonly ThrownException[], format: (frame: ThrownFrame) => string): string {
  return chain
    .map((thrown, index) => {
      const head = `${index === 0 ? '' : 'caused by: '}${headOf(thrown)}`
      return [head, ...thrown.frames.toReversed().map(format)].join('\n')
    })
    .join('\n')
}

function v8Frame({ function: name, file, line, column }: ThrownFrame): string {
  const location = [file ?? '<anonymous>', line, line === null ? null : column]
    .filter(part => part !== null)
    .join(':')
  const named = functionName(name)
  return named === null ? `    at ${location}` : `    at ${named} (${location})`
}

/** Sentry's SDKs write `?` for an anonymous function. */
function functionName(name: string | null): string | null {
  if (name === null || name === '?') return null
  return name.replace(/\.\?$/, '.<anonymous>').replaceAll(' (', '(')
}

function goFrame({ function: name, module, file, line }: ThrownFrame): string {
  const called = [module, name].filter(part => part !== null).join('.')
  return `${called}(...)\n\t${file ?? '<unknown>'}:${line ?? 0}`
}
