import type { Contents } from '../../../shared/content.ts'
import { Drawn } from '../../components/drawn.tsx'
import { Section } from '../../components/section.tsx'

/** Every part in every state, and what the keyboard does with it. */
export default function Ui({ content }: { content: Contents['ui'] }) {
  return (
    <>
      <h1>The parts</h1>
      <Section title="Charts" id="charts">
        {content.charts.map(({ title, chart }) => (
          <div key={title}>
            <h3>{title}</h3>
            <Drawn markup={chart} />
          </div>
        ))}
      </Section>
    </>
  )
}
