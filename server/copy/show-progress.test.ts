import t from 'tap'
import { noonMs } from '../store/conformance/testing.ts'
import { showProgress } from './show-progress.ts'

function progressOn(isTerminal: boolean) {
  const written: string[] = []
  let nowMs = 0
  const progress = showProgress({
    isTerminal,
    write: text => void written.push(text),
    nowMs: () => nowMs,
  })
  progress.start(2000)
  return {
    written,
    progress,
    advance(events: number, ms: number) {
      nowMs += ms
      progress.advance(events, noonMs)
    },
  }
}

t.test('rewrites one line on a terminal, and clears it at the end', async t => {
  const { written, progress, advance } = progressOn(true)
  advance(500, 1000)
  advance(1, 10)
  advance(499, 990)
  progress.end()
  t.same(written, [
    '\r25%, 500 events per second, at 2026-11-21T12:00Z\x1b[K',
    '\r50%, 500 events per second, at 2026-11-21T12:00Z\x1b[K',
    '\r\x1b[K',
  ])
})

t.test('without a terminal, writes a line every few seconds, and never shows more than 100%', async t => {
  const { written, progress, advance } = progressOn(false)
  advance(500, 1000)
  advance(2000, 4000)
  progress.end()
  t.same(written, ['100%, 500 events per second, at 2026-11-21T12:00Z\n'])
})
