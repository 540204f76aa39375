import { resolveRange } from '../../../shared/range.ts'
import type { UiFailures } from '../../../shared/screens/ui.ts'
import {
  type Frame,
  type PossiblePosition,
  type UnmappedReason,
  unmappedReasons,
} from '../../../shared/stack.ts'
import { Deliveries } from '../../components/deliveries.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { usePage } from '../../page.ts'
import { Example } from './example.tsx'
import { deliveries } from './fixtures.ts'

/** Components that show failures and webhook deliveries. */
export function Failures({ failure }: UiFailures) {
  const { nowMs } = usePage()
  const [frame] = failure.frames
  return (
    <>
      <Example
        title="Failures"
        id="failures"
        note="A failure’s message, state (unless open), digest, services, count, and first and last occurrence."
        keys={[
          ['Tab', 'moves through the failures and their copy buttons'],
          ['Enter', 'opens the failure'],
        ]}
        code={
          '<FailureList failures={failures} hrefFor={hrefOfFailure} window={window} selected={id} caption="Failures" />'
        }
      >
        <FailureList
          failures={[
            failure,
            {
              ...failure,
              id: '1',
              state: 'resolved',
              returned: null,
              type: 'Error',
              message: '',
              digests: [],
              sparkline: [],
              count: 1,
            },
            {
              ...failure,
              id: '2',
              state: 'muted',
              returned: null,
              type: 'خطأ',
              message: 'فشل الدفع 💳',
              digests: ['0c11e3f0aa'],
            },
          ]}
          hrefFor={() => '#failures'}
          window={resolveRange({ span: '1h' }, nowMs)}
          caption="Failures"
        />
      </Example>
      <Example
        title="Stack"
        id="stack"
        note="Application frames are expanded, with code if a source map contains it. Library frames are collapsed."
        keys={[
          ['Tab', 'moves to the collapsed parts'],
          ['Enter, Space', 'expand or collapse them'],
        ]}
        code={'<StackTrace frames={failure.frames} stack={failure.stack} />'}
      >
        <StackTrace frames={failure.frames} stack={failure.stack} />
      </Example>
      <Example
        title="Unmapped frames"
        id="unmapped"
        note="If a frame is not mapped to its source, a label marks it, and a message below explains why and how to fix it."
        keys={[['Enter, Space', 'copy the command']]}
        code={'<UnmappedLabel reason="wrong-release" />\n<UnmappedReasons frames={failure.frames} />'}
      >
        {frame !== undefined && (
          <StackTrace
            frames={unmappedReasons
              .filter(reason => reason !== 'ambiguous')
              .map((reason, index) => unmappedFrame(frame, reason, index))}
            stack={null}
          />
        )}
      </Example>
      <Example
        title="Ambiguous frames"
        id="ambiguous"
        note="If several source maps match, the frame lists the possible positions."
        keys={[]}
        code={'<PossiblePositions positions={unmapped.positions} />'}
      >
        {frame !== undefined && (
          <StackTrace
            frames={[unmappedFrame(frame, 'ambiguous', 0, possiblePositions(nowMs))]}
            stack={null}
          />
        )}
      </Example>
      <Example
        title="Deliveries"
        id="deliveries"
        note="A webhook’s latest deliveries: a summary of the newest one, and a table of all."
        keys={[['Enter, Space', 'expand the messages']]}
        code={'<Deliveries name={webhook.name} deliveries={webhook.deliveries} />'}
      >
        <div className="ui-stack">
          <Deliveries name="a chat without messages" deliveries={[]} />
          {deliveries(nowMs).map((delivery, index, all) => (
            <Deliveries key={delivery.id} name={`chat ${index + 1}`} deliveries={all.slice(index)} />
          ))}
        </div>
      </Example>
    </>
  )
}

function unmappedFrame(
  frame: Frame,
  reason: UnmappedReason,
  index: number,
  positions: PossiblePosition[] = [],
): Frame {
  const candidates = reason === 'wrong-service' ? ['stock'] : ['1.4.1', '1.4.0']
  return {
    ...frame,
    functionName: 't',
    file: 'static/js/main.4f3a2b1c.js',
    line: 1,
    column: 20_481 + index,
    code: null,
    unmapped: { reason, service: 'shop', release: '1.4.2', candidates, positions },
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
