import type { DeliveryRow } from '../../../shared/screens/settings.ts'
import { Notice } from '../../components/notice.tsx'

/** The result of the test message that was just sent. */
export function TestOutcome({ deliveries }: { deliveries: DeliveryRow[] }) {
  const test = deliveries.find(({ kind }) => kind === 'test')
  if (test === undefined) return null
  if (test.state === 'delivered') {
    return <Notice tone="ok" title={`Test delivered (HTTP ${test.status})`} />
  }
  if (test.state === 'waiting') {
    return <Notice tone="warn" title="No response to the test message yet. Reload this page to check." />
  }
  return (
    <Notice tone="bad" title="Test not delivered">
      <bdi>{test.problem}</bdi>
    </Notice>
  )
}
