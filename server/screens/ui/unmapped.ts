import type { Frame, PossiblePosition, UnmappedReason } from '../../../shared/stack.ts'
import { unmappedReasons } from '../../../shared/stack.ts'
import { explainUnmapped } from '../../failures/explain-unmapped.ts'

/** One unmapped frame for each reason; the `ambiguous` frame lists the positions in two maps. */
export function unmappedFrames(nowMs: number): { unmapped: Frame[]; ambiguous: Frame[] } {
  const others = unmappedReasons.filter(reason => reason !== 'ambiguous')
  return {
    unmapped: others.map((reason, index) => unmappedFrame(reason, index, [])),
    ambiguous: [unmappedFrame('ambiguous', 0, possiblePositions(nowMs))],
  }
}

export function unmappedFrame(reason: UnmappedReason, index: number, positions: PossiblePosition[]): Frame {
  const candidates = reason === 'wrong-service' ? ['stock'] : ['1.4.1', '1.4.0']
  return {
    functionName: 't',
    file: 'static/js/main.4f3a2b1c.js',
    line: 1,
    column: 20_481 + index,
    inApp: true,
    cause: null,
    code: null,
    unmapped: explainUnmapped({ reason, service: 'shop', release: '1.4.2', candidates, positions }),
  }
}

/** Positions of one frame in the source maps of two builds. */
function possiblePositions(nowMs: number): PossiblePosition[] {
  const position = { file: 'src/cart.ts', column: 23, service: 'shop', path: 'static/js/main.4f3a2b1c.js' }
  return [
    { ...position, line: 18, uploadedMs: nowMs - 3_600_000 },
    { ...position, line: 15, uploadedMs: nowMs - 3 * 86_400_000 },
  ]
}
