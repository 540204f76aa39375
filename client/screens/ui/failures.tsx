import { resolveRange } from '../../../shared/range.ts'
import type { UiFailures } from '../../../shared/screens/ui.ts'
import { Deliveries } from '../../components/deliveries.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { usePage } from '../../page.ts'
import { Example } from './example.tsx'
import { deliveries } from './fixtures.ts'

/** Components that show failures and webhook deliveries. */
export function Failures({ failure, unmapped, ambiguous }: UiFailures) {
  const { nowMs } = usePage()
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
          '<FailureList failures={failures} hrefFor={hrefOfFailure} window={window} caption="Failures" />'
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
        code={'<UnmappedLabel word={unmapped.word} />\n<UnmappedReasons frames={failure.frames} />'}
      >
        <StackTrace frames={unmapped} stack={null} />
      </Example>
      <Example
        title="Ambiguous frames"
        id="ambiguous"
        note="If several source maps match, the frame lists the possible positions."
        keys={[]}
        code={'<PossiblePositions positions={unmapped.positions} />'}
      >
        <StackTrace frames={ambiguous} stack={null} />
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
