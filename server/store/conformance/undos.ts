import type { Test } from 'tap'
import type { Undo } from '../undo-store.ts'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

const search = { id: 's1', name: 'slow', view: 'q=duration%3A%3E500', createdMs: noonMs }
const undo: Undo = { kind: 'save search', search }

const same = async (given: Undo) => given

/** Tests changes that can be undone. */
export async function undos(t: Test, make: MakeLocation): Promise<void> {
  await t.test('a change can be undone once', async t => {
    const { undos } = await openStore(t, make)
    const id = await undos.add(undo, 'member')
    t.match(id, /^[\da-f-]{36}$/)
    t.ok(await undos.has(id, 'member'))
    t.same(await undos.undoOnce(id, 'member', same), undo)
    t.notOk(await undos.has(id, 'member'))
    t.equal(await undos.undoOnce(id, 'member', same), null)
    t.equal(await undos.undoOnce('', 'admin', same), null)
  })

  await t.test('a change whose undo failed can still be undone', async t => {
    const { undos } = await openStore(t, make)
    const id = await undos.add(undo, 'member')
    const fail = async () => {
      throw new Error('The disk is full')
    }
    await t.rejects(undos.undoOnce(id, 'member', fail), { message: 'The disk is full' })
    t.ok(await undos.has(id, 'member'))
    t.same(await undos.undoOnce(id, 'member', same), undo)
  })

  await t.test('of two simultaneous clicks, only one undoes the change', async t => {
    const { undos } = await openStore(t, make)
    const id = await undos.add(undo, 'member')
    t.same(await Promise.all([undos.undoOnce(id, 'member', same), undos.undoOnce(id, 'member', same)]), [
      undo,
      null,
    ])
  })

  await t.test('undoing a change requires the same role as the change', async t => {
    const { undos } = await openStore(t, make)
    const id = await undos.add(undo, 'admin')
    for (const role of ['viewer', 'member'] as const) {
      t.notOk(await undos.has(id, role))
      t.equal(await undos.undoOnce(id, role, same), null)
    }
    t.same(await undos.undoOnce(id, 'admin', same), undo)
  })

  await t.test('the latest 200 changes by users of each role can be undone for at least an hour', async t => {
    let nowMs = noonMs
    const { undos } = await openStore(t, make, () => nowMs)
    const adminUndo = await undos.add(undo, 'admin')
    const added = Array.from({ length: 201 }, () => undos.add(undo, 'viewer'))
    const ids = await Promise.all(added)
    nowMs += 3_600_000
    const found = await Promise.all(ids.map(id => undos.has(id, 'viewer')))
    t.equal(found[0], false)
    t.ok(found.slice(1).every(Boolean))
    t.ok(await undos.has(adminUndo, 'admin'), "viewers' changes do not evict administrators' changes")
  })

  await t.test('returns every kind of undo unchanged', async t => {
    const { undos } = await openStore(t, make)
    const resolution = { atMs: noonMs, release: null, oldReleases: [{ service: 'shop', release: '1.0' }] }
    const record = {
      state: 'resolved' as const,
      stateMs: noonMs,
      stateBy: 'ada',
      mutedUntilMs: null,
      resolution,
      resolvedAfterId: 7,
      returned: null,
    }
    const webhook = {
      id: 'w1',
      name: 'Chät 😀',
      url: 'https://chat.example/x',
      secret: 'whsec_AAAA',
      conditions: { newFailure: true, returnedFailure: false, errorRatio: null },
      createdMs: noonMs,
    }
    const changes: Undo[] = [
      {
        kind: 'restore states',
        states: [
          { id: 'a', record },
          { id: 'b', record: null },
        ],
      },
      { kind: 'restore preferences', former: { theme: 'dark' } },
      { kind: 'restore setting', name: 'LOG_LEVEL', value: 'info' },
      { kind: 'restore setting', name: 'LOG_LEVEL', value: 'info', after: 'debug' },
      { kind: 'change webhook', webhook },
      { kind: 'change webhook', webhook, after: { ...webhook, name: 'Changed' } },
      { kind: 'add webhook', webhook: { ...webhook, name: '' } },
      undo,
    ]
    const ids = await Promise.all(changes.map(each => undos.add(each, 'admin')))
    t.same(await Promise.all(ids.map(id => undos.undoOnce(id, 'admin', same))), changes)
  })
}
