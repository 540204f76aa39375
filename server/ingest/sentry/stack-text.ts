import type { SentryFrame, ThrownException } from './frames.ts'
import { dotnetText, headOf, javaText, pythonText } from './runtime-text.ts'

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
  // The V8 format is also used for runtimes whose printed stacks Sixpane does not parse, such as Ruby and PHP.
  return print === undefined ? textOf(chain, v8Frame) : print(chain)
}

/** Prints causes as pino does. */
function textOf(chain: readonly ThrownException[], format: (frame: SentryFrame) => string): string {
  return chain
    .map((thrown, index) => {
      const head = `${index === 0 ? '' : 'caused by: '}${headOf(thrown)}`
      return [head, ...thrown.frames.toReversed().map(format)].join('\n')
    })
    .join('\n')
}

function v8Frame({ function: name, file, line, column }: SentryFrame): string {
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

function goFrame({ function: name, module, file, line }: SentryFrame): string {
  const called = [module, name].filter(part => part !== null).join('.')
  return `${called}(...)\n\t${file ?? '<unknown>'}:${line ?? 0}`
}
