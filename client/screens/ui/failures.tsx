import type { Contents } from '../../../shared/page.ts'
import { resolveRange } from '../../../shared/range.ts'
import { type PossiblePlace, unmappedReasons } from '../../../shared/stack.ts'
import { FailureList } from '../../components/failure-list.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { usePage } from '../../page.ts'
import { Deliveries } from '../settings/deliveries.tsx'
import { Example } from './example.tsx'
import { deliveries } from './fixtures.ts'

/** Components that show failures and webhook deliveries. */
export function Failures({ content: { failure } }: { content: Contents['ui'] }) {
  const { nowMs } = usePage()
  const [frame] = failure.frames
  return (
    <>
      <Example
        title="Failures"
        id="failures"
        note="Message, state (unless open), digest, services, count, first and last seen."
        keys={[
          ['Tab', 'goes from failure to failure, and to the copying of each digest'],
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
          selected={failure.id}
          window={resolveRange({ span: '1h' }, nowMs)}
          caption="Failures"
        />
      </Example>
      <Example
        title="Stack"
        id="stack"
        note="Application frames are open, with their code if a source map has it; library frames are folded."
        keys={[
          ['Tab', 'goes to the collapsed parts'],
          ['Enter, Space', 'expand or collapse them'],
        ]}
        code={'<StackTrace frames={failure.frames} stack={failure.stack} />'}
      >
        <StackTrace frames={failure.frames} stack={failure.stack} />
      </Example>
      <Example
        title="Unmapped frames"
        id="unmapped"
        note="Why a frame of a generated file is not mapped to its source: a label beside it, an explanation below, and the fix."
        keys={[['Enter, Space', 'copy the command']]}
        code={'<UnmappedLabel reason="wrong-release" />\n<UnmappedReasons frames={failure.frames} />'}
      >
        {frame !== undefined && (
          <StackTrace
            frames={unmappedReasons.map((reason, index) => ({
              ...frame,
              functionName: 't',
              file: 'static/js/main.4f3a2b1c.js',
              line: 1,
              column: 20_481 + index,
              code: null,
              unmapped: {
                reason,
                service: 'shop',
                release: '1.4.2',
                candidates: reason === 'wrong-service' ? ['stock'] : ['1.4.1', '1.4.0'],
                places: reason === 'ambiguous' ? possiblePlaces(nowMs) : [],
              },
            }))}
            stack={null}
          />
        )}
      </Example>
      <Example
        title="Deliveries"
        id="deliveries"
        note="The latest deliveries of a webhook: the last one in a line, the others below."
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

/** Positions of one frame in the source maps of two builds. */
function possiblePlaces(nowMs: number): PossiblePlace[] {
  const place = { file: 'src/cart.ts', column: 23, service: 'shop', path: 'static/js/main.4f3a2b1c.js' }
  return [
    { ...place, line: 18, uploadedMs: nowMs - 3_600_000 },
    { ...place, line: 15, uploadedMs: nowMs - 3 * 86_400_000 },
  ]
}
