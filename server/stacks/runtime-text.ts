import { oneLine, type ThrownException, type ThrownFrame } from './thrown-exception.ts'

/** Returns the type and message, which are printed above the frames of an exception. */
export function headOf({ type, message }: Pick<ThrownException, 'type' | 'message'>): string {
  return message === '' ? type : `${type}: ${message}`
}

/** Java omits the frames that an exception shares with the one that it caused, or that suppressed it. */
export function javaText(chain: readonly ThrownException[]): string {
  return chain
    .flatMap((thrown, index) => {
      const { type, module, message, frames, parent = chain[index - 1], isSuppressed = false } = thrown
      const head = headOf({ type: module === null ? type : `${module}.${type}`, message })
      const lines = frames.map(javaFrame)
      const shared = sharedCount(lines, parent?.frames.map(javaFrame) ?? [])
      const omitted = shared === 0 ? [] : [`\t... ${shared} more`]
      const indent = indentOf(thrown)
      return [
        index === 0 ? head : `${indent}${isSuppressed ? 'Suppressed' : 'Caused by'}: ${head}`,
        ...[...lines.slice(shared).toReversed(), ...omitted].map(line => `${indent}${line}`),
      ]
    })
    .join('\n')
}

/** Java indents suppressed exceptions and their causes. */
function indentOf({ parent, isSuppressed = false }: ThrownException): string {
  return `${parent === undefined ? '' : indentOf(parent)}${isSuppressed ? '\t' : ''}`
}

/** Returns how many of the outermost frames, which come first, are the same in both stacks. */
function sharedCount(frames: readonly string[], enclosing: readonly string[]): number {
  const different = frames.findIndex((frame, index) => frame !== enclosing[index])
  return different < 0 ? frames.length : different
}

function javaFrame({ function: name, module, file, line }: ThrownFrame): string {
  const source =
    file === null ? 'Unknown Source' : `${file.replace(/^.*[\\/]/, '')}${line === null ? '' : `:${line}`}`
  return `\tat ${module ?? '<unknown>'}.${name ?? '<unknown>'}(${source})`
}

/** .NET prints the innermost exception's frames first, below the messages of all exceptions. */
export function dotnetText(chain: readonly ThrownException[]): string {
  const stacks = chain.map(({ frames }) => frames.toReversed().map(dotnetFrame).join('\n'))
  return [
    chain.map(headOf).join('\n ---> '),
    stacks.toReversed().join('\n   --- End of inner exception stack trace ---\n'),
  ].join('\n')
}

function dotnetFrame({ function: name, module, file, line }: ThrownFrame): string {
  const called = [module, name === null ? '<unknown>' : methodName(name)].filter(part => part !== null)
  const location = file === null || line === null ? '' : ` in ${file}:line ${line}`
  return `   at ${called.join('.').replaceAll('+', '.')}()${location}`
}

/** `async Task<int> Shop.Cart.Total(Item[] items)` and `Total { <lambda> }` become `Shop.Cart.Total` and `Total`. */
function methodName(signature: string): string {
  const name = signature.split(/\(| \{/, 1)[0] ?? ''
  return name.slice(name.lastIndexOf(' ') + 1)
}

const causeLine = '\n\nThe above exception was the direct cause of the following exception:\n\n'

/** Python prints the innermost call last, and the thrown exception after its causes. */
export function pythonText(chain: readonly ThrownException[]): string {
  return chain
    .toReversed()
    .map(thrown => {
      const lines = thrown.frames.map(({ function: name, file, line, source }) => {
        const location = `  File "${file ?? '<unknown>'}", line ${line ?? 0}, in ${name ?? '<unknown>'}`
        return source === null ? location : `${location}\n    ${oneLine(source.line.trim())}`
      })
      return ['Traceback (most recent call last):', ...lines, headOf(thrown)].join('\n')
    })
    .join(causeLine)
}
