// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Reads what tap writes (https://node-tap.org/tap-format/) and counts its tests: the subtests that hold none
 * themselves. A test around failed ones is not counted again; one that fails by itself is, and so is a file.
 * @param {AsyncIterable<string>} lines
 * @param {(line: string) => void} tell gets a line a file, and all that is said of what failed
 * @returns {Promise<Counts>}
 */
export async function readTap(lines, tell) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  /** Subtests that have begun, outermost first: the file, its tests. @type {{ name: string, tests: number, failed: number, told: boolean }[]} */
  const open = []
  let showsDetails = false

  for await (const line of lines) {
    const [, indent = '', text = ''] = /^((?: {4})*)(.*)$/.exec(line) ?? []
    const begun = /^# Subtest: (.*)$/.exec(text)
    const result = /^(not )?ok \d+(?: - )?(.*?)(?: # time=\S+)?$/.exec(text)
    // What a timeout cut off has no result of its own: whatever stands further out ends it.
    if (begun !== null) open.length = Math.min(open.length, indent.length / 4)
    else if (result !== null) open.length = Math.min(open.length, indent.length / 4 + 1)
    if (begun !== null) open.push({ name: String(begun[1]), tests: 0, failed: 0, told: false })
    else if (result === null) {
      // What follows a result, between --- and ..., says more of it.
      if (showsDetails) tell(line)
      if (text === '  ...') showsDetails = false
    } else {
      const name = String(result[2])
      // A result stands one level above the subtest that it ends; any other is an assertion, or a skipped test.
      const isEnd = indent.length / 4 === open.length - 1
      const outcome = / # SKIP\b/.test(name) ? 'skipped' : result[1] === undefined ? 'passed' : 'failed'
      const path = [...open.map(each => each.name), ...(isEnd ? [] : [name])].join(' › ')
      const { counted, told } = isEnd ? end(outcome) : { counted: outcome === 'skipped', told: false }
      if (counted) total[outcome] += 1
      // Of a test that failed by an assertion all is said already.
      showsDetails = outcome === 'failed' && !told
      const around = open.at(-1)
      if (around !== undefined && outcome === 'failed') around.told = true
      if (outcome === 'skipped') tell(`- ${path}`)
      else if (showsDetails || (isEnd && open.length === 0))
        tell(`${outcome === 'failed' ? '✖' : '✔'} ${path}`)
    }
  }
  return total

  /**
   * @param {keyof Counts} outcome
   * @returns whether the subtest that has ended counts as a test, and whether what failed in it was told
   */
  function end(outcome) {
    const { tests, failed, told } = open.pop() ?? { tests: 0, failed: 0, told: false }
    const counted = tests === 0 || (outcome === 'failed' && failed === 0)
    const around = open.at(-1)
    if (around !== undefined) {
      around.tests += tests + (counted ? 1 : 0)
      around.failed += failed + (counted && outcome === 'failed' ? 1 : 0)
    }
    return { counted, told }
  }
}
