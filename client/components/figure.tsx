/** One number, with what it was in the period before and how it has changed since, in words. */
export function Figure(props: {
  label: string
  value: string
  before?: string | undefined
  change?: string | null | undefined
  title?: string | undefined
}) {
  return (
    <dl className="figure" title={props.title}>
      <dt>{props.label}</dt>
      <dd className="figure-value">{props.value}</dd>
      {props.change && <dd className="figure-change">{props.change}</dd>}
      {props.before !== undefined && <dd className="figure-before">before: {props.before}</dd>}
    </dl>
  )
}
