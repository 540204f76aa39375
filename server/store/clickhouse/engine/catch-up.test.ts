import { ClickHouseError } from '@clickhouse/client'
import t from 'tap'
import { afterCatchUp } from './catch-up.ts'

/** Work that fails with each of these codes once, and then succeeds. */
function failingWith(...codes: string[]) {
  const left = [...codes]
  return async () => {
    const code = left.shift()
    if (code !== undefined) throw new ClickHouseError({ code, type: '', message: code })
    return 'done'
  }
}

t.test('retries a statement until the servers have caught up with each other', async t => {
  t.equal(await afterCatchUp(failingWith('289', '286', '517', '289')), 'done')
})

t.test('does not retry a statement that may have had an effect', async t => {
  await t.rejects(afterCatchUp(failingWith('319')), { code: '319' })
  await t.rejects(afterCatchUp(failingWith('286', '60')), { code: '60' })
})

t.test('stops when the caller aborts', async t => {
  const controller = new AbortController()
  const endless = failingWith(...Array.from({ length: 1000 }, () => '289'))
  const waiting = afterCatchUp(endless, controller.signal)
  controller.abort()
  await t.rejects(waiting, { name: 'AbortError' })
})
