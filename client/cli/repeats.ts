import type { Joined } from './join-lines.ts'

/** Next.js prints both copies within a few milliseconds. */
const maxDistanceMs = 1000

/**
 * Recognises the second copy of an error that Next.js 14 prints twice. The copy repeats the text of the previous event,
 * which has a digest and no `⨯` prefix. A third copy is a new event, because it belongs to another request. See
 * docs/decisions/0018-printed-twice.md.
 */
export function createRepeatDetector(): (joined: Joined) => boolean {
  let previous: { text: string; timeMs: number } | null = null

  return ({ lines, hasStack }) => {
    const [first] = lines
    const text = lines.map(line => line.text).join('\n')
    if (first === undefined || !hasStack || first.text.includes('⨯') || !/^ {2}digest: '/m.test(text)) {
      previous = null
      return false
    }
    const isRepeat = previous?.text === text && first.timeMs - previous.timeMs <= maxDistanceMs
    previous = isRepeat ? null : { text, timeMs: first.timeMs }
    return isRepeat
  }
}
