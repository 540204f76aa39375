import t from 'tap'
import { lowerCase } from './lower-case.ts'

t.test('converts each letter on its own, as DuckDB does', async t => {
  t.equal(lowerCase('İSTANBUL'), 'istanbul')
  t.equal(lowerCase('ΟΔΟΣ ΟΔΟΣ'), 'οδοσ οδοσ')
  t.equal(lowerCase('οδος'), 'οδος')
})
