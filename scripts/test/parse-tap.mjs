// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Parses the output of tap (https://node-tap.org/tap-format/) and counts the innermost subtests. A test or file with subtests
 * counts only if it failed although none of its subtests failed.
 * @param {AsyncIterable<string>} lines
 * @param {(line: string) => void} print receives a line per file, and the details of failures
 * @returns {Promise<Counts>}
 */
export async function parseTap(lines, print) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  /** The open subtests, outermost first: the file, then its tests. @type {{ name: string, tests: number, failed: number, isReported: boolean }[]} */
  const open = []
  let printsDetails = false

  for await (const line of lines) {
    const [, indent = '', text = ''] = /^((?: {4})*)(.*)$/.exec(line) ?? []
    const start = /^# Subtest: (.*)$/.exec(text)
    const result = /^(not )?ok \d+(?: - )?(.*?)(?: # time=\S+)?$/.exec(text)
    // If a subtest timed out, it has no result, and the next line with less indentation ends it.
    if (start !== null) open.length = Math.min(open.length, indent.length / 4)
    else if (result !== null) open.length = Math.min(open.length, indent.length / 4 + 1)
    if (start !== null) open.push({ name: String(start[1]), tests: 0, failed: 0, isReported: false })
    else if (result === null) {
      // The lines between --- and ... after a result are its details.
      if (printsDetails) print(line)
      if (text === '  ...') printsDetails = false
    } else {
      const name = String(result[2])
      // The result of a subtest is indented one level less than the subtest. Any other result is an assertion or a skipped
      // test.
      const isEnd = indent.length / 4 === open.length - 1
      const outcome = / # SKIP\b/.test(name) ? 'skipped' : result[1] === undefined ? 'passed' : 'failed'
      const path = [...open.map(each => each.name), ...(isEnd ? [] : [name])].join(' › ')
      const { counted, isReported } = isEnd
        ? end(outcome)
        : { counted: outcome === 'skipped', isReported: false }
      if (counted) total[outcome] += 1
      // The details of a failed assertion are already printed.
      printsDetails = outcome === 'failed' && !isReported
      const parent = open.at(-1)
      if (parent !== undefined && outcome === 'failed') parent.isReported = true
      if (outcome === 'skipped') print(`- ${path}`)
      else if (printsDetails || (isEnd && open.length === 0))
        print(`${outcome === 'failed' ? '✖' : '✔'} ${path}`)
    }
  }
  return total

  /**
   * @param {keyof Counts} outcome
   * @returns whether to count the ended subtest as a test, and whether its failure is already reported
   */
  function end(outcome) {
    const { tests, failed, isReported } = open.pop() ?? { tests: 0, failed: 0, isReported: false }
    const counted = tests === 0 || (outcome === 'failed' && failed === 0)
    const parent = open.at(-1)
    if (parent !== undefined) {
      parent.tests += tests + (counted ? 1 : 0)
      parent.failed += failed + (counted && outcome === 'failed' ? 1 : 0)
    }
    return { counted, isReported }
  }
}
