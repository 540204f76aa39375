import t from 'tap'
import { limitDraws } from './limit-draws.ts'

t.test('draws the first item immediately, and later ones at most once per interval', async t => {
  let end: (() => void) | null = null
  const endInterval = () => {
    const ended = end
    end = null
    ended?.()
  }
  const drawn: number[][] = []
  const draws = limitDraws<number>(
    items => drawn.push(items),
    ended => {
      end = ended
      return () => {
        end = null
      }
    },
  )
  draws.add(1)
  t.same(drawn, [[1]])
  for (const item of [2, 3]) draws.add(item)
  t.same(drawn, [[1]])
  endInterval()
  t.same(drawn, [[1], [2, 3]])
  endInterval()
  draws.add(4)
  t.same(drawn, [[1], [2, 3], [4]], 'after an interval without items, the next item is drawn immediately')
  draws.add(5)
  draws.stop()
  endInterval()
  t.equal(drawn.length, 3)
})
