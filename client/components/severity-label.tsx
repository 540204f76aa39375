import type { Severity } from '../../shared/severity.ts'

/** A severity as an icon, a word and a colour. */
export function SeverityLabel({ severity }: { severity: Severity }) {
  return (
    <span className="severity" data-severity={severity}>
      {severity}
    </span>
  )
}
