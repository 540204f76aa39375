/** Runs the test files in `TEST_FILES` one after the other in this process. */
import t from 'tap'

// The files are not arguments, because tap uses arguments in the names of temporary folders.
const files = (process.env.TEST_FILES ?? '').split('\n')
delete process.env.TEST_FILES

// tap deletes the folder of a test before it runs a teardown that was added after the folder. A server that a teardown stops
// would still write into its folder, and the deletion would fail. A teardown that exists before the folder prevents this.
t.beforeEach(test => test.teardown(() => {}))

const root = t.test.bind(t)
for (const file of files) {
  // Each file becomes a subtest, so its tests and teardowns end before the next file is imported.
  await root(file, async child => {
    Object.assign(t, {
      test: child.test.bind(child),
      before: child.before.bind(child),
      beforeEach: child.beforeEach.bind(child),
      afterEach: child.afterEach.bind(child),
      teardown: child.teardown.bind(child),
      testdir: child.testdir.bind(child),
    })
    await import(`../../${file}`)
  })
}
