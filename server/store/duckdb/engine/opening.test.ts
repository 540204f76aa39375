import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { allEvents, anEvent, findMessages } from '../../conformance/testing.ts'
import { StoreUnavailableError } from '../../store.ts'
import { inspectStore } from '../inspect.ts'
import { openDuckDbStore } from '../store.ts'
import { segmentLayout } from './segment-layout.ts'
import { damageBlocks } from './testing.ts'

/** Runs statements on the only segment of a closed store. */
const change = (folder: string, ...statements: string[]) => changeFile(onlySegment(folder), ...statements)

async function changeFile(file: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

function segmentFiles(folder: string): string[] {
  return readdirSync(folder).filter(file => /^events-.*\.duckdb$/.test(file))
}

function onlySegment(folder: string): string {
  const [file = ''] = segmentFiles(folder)
  return join(folder, file)
}

async function storeWithOneEvent(folder: string): Promise<void> {
  const store = await openDuckDbStore({ folder })
  await store.append([anEvent({ body: 'stored' })])
  await store.close()
}

/** Creates a segment with the event `older` and another with the event `newer`. Returns the path of the older segment. */
async function storeWithTwoSegments(folder: string): Promise<string> {
  let clockMs = Date.UTC(2026, 0, 1)
  const store = await openDuckDbStore({ folder, nowMs: () => clockMs })
  await store.append([anEvent({ body: 'older' })])
  clockMs += 2 * 86_400_000
  await store.append([anEvent({ body: 'newer' })])
  await store.close()
  const [older = ''] = segmentFiles(folder)
  return join(folder, older)
}

/** Copies the files of an open store. As after a kill, the events are only in the segment's write-ahead log. */
async function storeWithLog(folder: string, events: number): Promise<void> {
  const open = join(folder, 'open')
  const store = await openDuckDbStore({ folder: open, preparesSegments: false })
  await store.append(Array.from({ length: events }, () => anEvent()))
  for (const name of readdirSync(open)) cpSync(join(open, name), join(folder, name), { recursive: true })
  await store.close()
  rmSync(open, { recursive: true })
}

/** Opens a store and collects the errors that it logs. */
async function openWithErrors(folder: string) {
  const errors: unknown[] = []
  const logger = { error: (fields: unknown) => errors.push(fields), warn() {}, info() {} }
  return { store: await openDuckDbStore({ folder, logger }), errors }
}

async function openingError(folder: string): Promise<string> {
  const error = await openDuckDbStore({ folder }).then(
    async store => {
      await store.close()
      throw new Error('The store was opened')
    },
    error => error,
  )
  if (!(error instanceof StoreUnavailableError)) throw error
  return error.message
}

t.test("creates the store's folder, and reopens the store in it", async t => {
  const folder = join(t.testdir(), 'a', 'it\'s "here"')
  await storeWithOneEvent(folder)
  const store = await openDuckDbStore({ folder })
  t.same(await findMessages(store, allEvents), ['stored'])
  await store.close()
})

t.test('reports that the store is already open in this process', async t => {
  const folder = t.testdir()
  const store = await openDuckDbStore({ folder })
  t.match(await openingError(folder), 'is already open in this process')
  t.match(
    await openingError(join(folder, '..', folder.split('/').at(-1) ?? '')),
    'is already open in this process',
  )
  await store.append([anEvent()])
  await store.close()
  await (await openDuckDbStore({ folder })).close()
})

t.test('reports that another process uses the store, even after a backup, and changes nothing', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  const folder = join(dir, 'store')
  const program = `
    import { anEvent } from ${JSON.stringify(new URL('../../conformance/testing.ts', import.meta.url).href)}
    import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}
    const [folder, copy] = process.argv.slice(1)
    const store = await openDuckDbStore({ folder })
    await store.append([anEvent()])
    await store.backup(copy, new AbortController().signal)
    console.log('open')
    setInterval(() => {}, 1000)
  `
  const child = spawn(
    process.execPath,
    ['--import=tsx', '--input-type=module', '--eval', program, folder, join(dir, 'copy')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  mkdirSync(join(folder, 'spill'))
  const before = readdirSync(folder)
  await t.rejects(inspectStore(folder), /in use by another process/)
  const message = await openingError(folder)
  t.match(message, /in use by another process: stop that process, or point SIXPANE_DATA at another folder/)
  t.notMatch(message, '\n')
  t.same(readdirSync(folder), before)
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  await (await openDuckDbStore({ folder })).close()
})

t.test('reports that a newer version wrote the store, and changes nothing', async t => {
  const folder = t.testdir()
  await storeWithOneEvent(folder)
  await change(folder, 'UPDATE layout SET version = 1000')
  t.match(await openingError(folder), /written by a newer version of Sixpane.*start that version/)
  await change(folder, `UPDATE layout SET version = ${segmentLayout.length}`)
  const store = await openDuckDbStore({ folder })
  t.same(await findMessages(store, allEvents), ['stored'])
  await store.close()
})

t.test('moves a damaged segment aside, reports it and opens the rest', async t => {
  const damages: Record<string, (file: string) => void> = {
    'not a database': file => writeFileSync(file, 'x'.repeat(20_000)),
    'damaged headers': file => writeFileSync(file, readFileSync(file).fill(255, 4096, 12_288)),
    truncated: file => writeFileSync(file, readFileSync(file).subarray(0, 100_000)),
  }
  for (const [name, damage] of Object.entries(damages)) {
    const folder = join(t.testdir(), name)
    const file = await storeWithTwoSegments(folder)
    damage(file)
    const damaged = readFileSync(file)
    const { store, errors } = await openWithErrors(folder)
    t.same(await findMessages(store, allEvents), ['newer'], name)
    const [moved = ''] = (await store.stats()).damagedFiles
    const movedTo = join(folder, moved)
    t.match(errors, [{ file, movedTo }])
    t.same(readFileSync(movedTo), damaged, 'the file is moved unchanged')
    const [stored] = await store.append([anEvent({ body: 'next' })])
    t.same(await findMessages(store, allEvents), ['newer', 'next'])
    await store.close()
    t.notOk(
      segmentFiles(folder).includes(basename(movedTo)),
      'no new segment uses the name, so the repaired file can be moved back',
    )
    const [, afterId] = /events-(\d+)/.exec(segmentFiles(folder).at(-1) ?? '') ?? []
    t.ok(Number(afterId) < (stored?.id ?? 0), 'new events have ids above the number in the file name')
    const again = await openDuckDbStore({ folder })
    t.same((await again.stats()).damagedFiles, [moved], 'the file is reported until it is deleted')
    await again.close()
  }
})

t.test('never deletes the log of a missing or truncated file', async t => {
  const folder = t.testdir()
  await storeWithLog(folder, 1000)
  const file = onlySegment(folder)
  const content = readFileSync(file)
  const log = readFileSync(`${file}.wal`)
  for (const bytes of [null, 0, 100, 4096, 12_287]) {
    const copy = join(folder, String(bytes))
    mkdirSync(copy)
    writeFileSync(join(copy, `${basename(file)}.wal`), log)
    if (bytes !== null) writeFileSync(join(copy, basename(file)), content.subarray(0, bytes))
    await t.rejects(
      inspectStore(copy),
      new RegExp(`is damaged: .*${basename(file)}: corrupt: the file is missing`),
    )
    const { store, errors } = await openWithErrors(copy)
    const [moved = ''] = (await store.stats()).damagedFiles
    const movedTo = join(copy, moved)
    t.same(readFileSync(`${movedTo}.wal`), log, `${bytes ?? 'no'} bytes of the file are left`)
    t.match(errors, [{ movedTo }])
    await store.append([anEvent({ body: 'new' })])
    t.same(await findMessages(store, allEvents), ['new'])
    await store.close()
    t.same(readFileSync(`${movedTo}.wal`), log, 'closing the store does not delete the log')
  }
})

t.test('reports an unfinished restore of a backup, and changes nothing', async t => {
  const folder = t.testdir({ 'events-0000000000000000.duckdb': '', restoring: { 'workspace.duckdb': '' } })
  const message = /A backup was not completely restored to .*: .* restore the backup again/
  t.match(await openingError(folder), message)
  await t.rejects(inspectStore(folder), message)
  t.same(readdirSync(folder).sort(), ['events-0000000000000000.duckdb', 'restoring'])
  const finished = t.testdir({ restoring: {} })
  await storeWithOneEvent(finished)
  mkdirSync(join(finished, 'restoring', 'earlier'))
  const store = await openDuckDbStore({ folder: finished })
  t.same(await findMessages(store, allEvents), ['stored'], 'a complete store can be opened')
  await store.close()
})

t.test('reports a lack of memory for replaying a log, and moves nothing', async t => {
  const folder = t.testdir()
  await storeWithLog(folder, 10_000)
  await t.rejects(openDuckDbStore({ folder, memoryBytes: 2e6 }), {
    name: 'StoreUnavailableError',
    message: /not have enough memory.*SIXPANE_ENGINE_MB.*replaying WAL file/,
  })
  const store = await openDuckDbStore({ folder })
  t.match(await store.stats(), { events: 10_000, damagedFiles: [] })
  await store.close()
})

t.test('reports a damaged workspace', async t => {
  const folder = t.testdir()
  await storeWithOneEvent(folder)
  writeFileSync(join(folder, 'workspace.duckdb'), 'x'.repeat(20_000))
  t.match(await openingError(folder), /is damaged: .*workspace\.duckdb/)
})

t.test('names the workspace if one of its blocks is damaged', async t => {
  const folder = t.testdir()
  await storeWithOneEvent(folder)
  const path = join(folder, 'workspace.duckdb')
  const notes = "SELECT i::VARCHAR, 'a', i, repeat(md5(i::VARCHAR), 5) FROM range(20_000) AS numbers(i)"
  await changeFile(path, `INSERT INTO note (id, failure_id, written_ms, text) ${notes}`)
  damageBlocks(path)
  await t.rejects(inspectStore(folder), { cause: { name: 'DamagedFileError', path } })
})

t.test('recreates a segment that a killed process left without headers or tables', async t => {
  for (const bytes of [0, 100, 4096, 12_287]) {
    const folder = join(t.testdir(), String(bytes))
    await storeWithOneEvent(folder)
    const file = onlySegment(folder)
    writeFileSync(file, readFileSync(file).subarray(0, bytes))
    t.match(await inspectStore(folder), { events: 0 })
    const store = await openDuckDbStore({ folder })
    await store.append([anEvent({ body: 'new' })])
    t.same(await findMessages(store, allEvents), ['new'])
    await store.close()
  }
  const folder = join(t.testdir(), 'no tables')
  await storeWithOneEvent(folder)
  const tables = ['event', 'request', 'search_filter', 'summary', 'service_summary', 'layout']
  await change(folder, ...tables.map(table => `DROP TABLE ${table}`))
  copyFileSync(onlySegment(folder), join(folder, 'events-0000000000000001.duckdb'))
  t.match(await inspectStore(folder), { events: 0 })
  const store = await openDuckDbStore({ folder })
  t.same(await findMessages(store, allEvents), [])
  await store.close()
})

t.test('the store rejects events after its files were deleted, moved or replaced', async t => {
  const removals: Record<string, (folder: string) => void> = {
    'a deleted folder': folder => rmSync(folder, { recursive: true }),
    'a deleted segment': folder => rmSync(onlySegment(folder)),
    'a replaced segment': folder => {
      copyFileSync(onlySegment(folder), join(folder, 'copy'))
      renameSync(join(folder, 'copy'), onlySegment(folder))
    },
  }
  const root = t.testdir()
  for (const [name, remove] of Object.entries(removals)) {
    const folder = join(root, name)
    const store = await openDuckDbStore({ folder })
    await store.append([anEvent({ body: 'before' })])
    await store.check()
    remove(folder)
    await t.rejects(
      store.append([anEvent()]),
      { name: 'StoreUnavailableError', message: /was deleted, moved/ },
      name,
    )
    await t.rejects(store.check(), StoreUnavailableError, name)
    t.same(await findMessages(store, allEvents), ['before'], 'the open file can still be read')
    await store.close()
  }

  const folder = join(root, 'a folder that is moved back')
  const store = await openDuckDbStore({ folder })
  await store.append([anEvent({ body: 'before' })])
  renameSync(folder, join(root, 'moved'))
  await t.rejects(store.append([anEvent()]), StoreUnavailableError)
  renameSync(join(root, 'moved'), folder)
  await store.append([anEvent({ body: 'after' })])
  await store.check()
  t.same(await findMessages(store, allEvents), ['before', 'after'])
  await store.close()
})

t.test('reports that the folder cannot be created, and leaves no new parent folders', async t => {
  const root = t.testdir({ dangling: t.fixture('symlink', 'nowhere') })
  const tooLong = 'x'.repeat(300)
  t.match(
    await openingError(join(root, 'new', 'parent', tooLong)),
    /cannot be opened.*SIXPANE_DATA.*ENAMETOOLONG/,
  )
  t.match(await openingError(join(root, 'dangling', 'inner')), 'SIXPANE_DATA')
  t.same(readdirSync(root), ['dangling'])
})

t.test(
  'reports a folder in /proc, where nothing can be created',
  { skip: process.platform !== 'linux' && 'only Linux has /proc' },
  async t => {
    for (const folder of ['/proc', '/proc/sixpane', '/proc/sixpane/inner']) {
      t.match(await openingError(folder), /cannot be created: point SIXPANE_DATA|is not writable/, folder)
    }
  },
)

t.test('reports that the path is a file instead of a folder, and creates nothing', async t => {
  const root = t.testdir({ file: '' })
  t.match(await openingError(join(root, 'file')), /is a file or is inside one/)
  t.match(await openingError(join(root, 'file', 'inner')), /is a file or is inside one/)
  t.same(readdirSync(root), ['file'])
})

t.test(
  'reports that the folder is not writable',
  { skip: process.getuid?.() === 0 && 'root can write to any folder' },
  async t => {
    const folder = join(t.testdir(), 'locked')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    t.teardown(() => chmodSync(folder, 0o700))
    t.match(await openingError(folder), /is not writable: grant this user write permission/)
    t.match(await openingError(join(folder, 'inner')), /is not writable/)
  },
)

t.test('leaves no write-ahead log after close', async t => {
  const folder = t.testdir()
  await storeWithOneEvent(folder)
  t.same(
    readdirSync(folder).filter(file => !file.endsWith('.duckdb')),
    [],
  )
})

t.test('starts a segment each day, and retention deletes whole segments', async t => {
  const folder = t.testdir()
  let clockMs = Date.UTC(2026, 0, 1)
  const store = await openDuckDbStore({ folder, nowMs: () => clockMs })
  for (let day = 0; day < 4; day++) {
    await store.append([anEvent({ timeMs: clockMs })])
    clockMs += 86_400_000
  }
  const files = segmentFiles(folder)
  t.equal(files.length, 4)
  t.equal(await store.retain({ maxAgeMs: 2.5 * 86_400_000, maxBytes: 1e12 }, clockMs), 2)
  t.same(segmentFiles(folder), files.slice(2))
  await store.close()
})
