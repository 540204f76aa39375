import t from 'tap'

/**
 * Runs test files one after the other in this process, because starting a process for each would take most of the time.
 * Each file becomes a subtest, so its tests and teardowns end before the next file is imported.
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  const root = t.test.bind(t)
  for (const file of files) {
    await root(file, async child => {
      Object.assign(t, {
        test: child.test.bind(child),
        before: child.before.bind(child),
        teardown: child.teardown.bind(child),
      })
      await import(`../../${file}`)
    })
  }
}
