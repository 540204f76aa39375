import { oneLine, type SentryFrame, type ThrownException } from './frames.ts'

/**
 * Formats a chain of exceptions as the runtime prints it, so that a failure has the same frames and fingerprint as in a log
 * line. Returns `null` if no exception has frames.
 * @param chain the thrown exception first, followed by its causes
 */
export function stackText(chain: readonly ThrownException[], platform: string): string | null {
  if (chain.every(({ frames }) => frames.length === 0)) return null
  if (platform === 'python') return pythonText(chain)
  const [format, cause] = formats[platform] ?? [v8Frame, 'caused by: ']
  return chain
    .map((thrown, index) => {
      const type =
        platform === 'java' && thrown.module !== null ? `${thrown.module}.${thrown.type}` : thrown.type
      const head = `${index === 0 ? '' : cause}${type}${thrown.message === '' ? '' : `: ${thrown.message}`}`
      return [head, ...thrown.frames.toReversed().map(format)].join('\n')
    })
    .join('\n')
}

type Format = (frame: SentryFrame) => string

const formats: { [platform: string]: readonly [Format, string] } = {
  java: [javaFrame, 'Caused by: '],
  go: [goFrame, 'caused by: '],
  csharp: [dotnetFrame, ' ---> '],
}

/** Also used for runtimes whose printed stacks Sixpane does not parse, such as Ruby and PHP. */
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

function javaFrame({ function: name, module, file, line }: SentryFrame): string {
  const source =
    file === null ? 'Unknown Source' : `${file.replace(/^.*[\\/]/, '')}${line === null ? '' : `:${line}`}`
  return `\tat ${module ?? '<unknown>'}.${name ?? '<unknown>'}(${source})`
}

function goFrame({ function: name, module, file, line }: SentryFrame): string {
  const called = [module, name].filter(part => part !== null).join('.')
  return `${called}(...)\n\t${file ?? '<unknown>'}:${line ?? 0}`
}

function dotnetFrame({ function: name, module, file, line }: SentryFrame): string {
  const method = name?.replace(/\(.*$/, '').replace(/^.* /, '') ?? '<unknown>'
  const called = module === null ? method : `${module}.${method}`
  return `   at ${called}()${file === null || line === null ? '' : ` in ${file}:line ${line}`}`
}

const causeLine = '\n\nThe above exception was the direct cause of the following exception:\n\n'

/** Python prints the innermost call last, and the thrown exception after its causes. */
function pythonText(chain: readonly ThrownException[]): string {
  return chain
    .toReversed()
    .map(({ type, message, frames }) => {
      const lines = frames.map(({ function: name, file, line, source }) => {
        const location = `  File "${file ?? '<unknown>'}", line ${line ?? 0}, in ${name ?? '<unknown>'}`
        return source === null ? location : `${location}\n    ${oneLine(source.line.trim())}`
      })
      const thrown = message === '' ? type : `${type}: ${message}`
      return ['Traceback (most recent call last):', ...lines, thrown].join('\n')
    })
    .join(causeLine)
}
