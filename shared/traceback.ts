/** Whether a line is the header of a Python traceback, including one in an exception group. */
export function isTracebackHeader(line: string): boolean {
  return /^[\s|+]{0,200}(?:Exception Group )?Traceback \(most recent call last\):\s*$/.test(line)
}
