/** A labelled number, with its previous value and the change in words. */
export function Stat(props: {
  label: string
  value: string
  before?: string | undefined
  change?: string | null | undefined
  title?: string | undefined
}) {
  return (
    <dl className="stat" title={props.title}>
      <dt>{props.label}</dt>
      <dd className="stat-value">{props.value}</dd>
      {props.change && <dd className="stat-change">{props.change}</dd>}
      {props.before !== undefined && <dd className="stat-before">{props.before} previously</dd>}
    </dl>
  )
}
