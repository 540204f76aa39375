/** The path or URL in the first frame of a V8 stack trace. */
const firstFile = /^ *at (?:.*? \()?(.+?):\d+:\d+\)?$/m

/**
 * Returns the debug ids of the files in a stack. Each file of the build registers its id under a stack trace that starts in
 * the file (https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md).
 */
export function debugIdsIn(stack: string): Record<string, string> | undefined {
  const registered: unknown = Reflect.get(globalThis, '_debugIds')
  if (typeof registered !== 'object' || registered === null) return undefined
  const found: [file: string, id: string][] = []
  for (const [trace, id] of Object.entries(registered)) {
    const [, file] = firstFile.exec(trace) ?? []
    if (file !== undefined && stack.includes(`${file}:`)) found.push([file, String(id)])
  }
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
