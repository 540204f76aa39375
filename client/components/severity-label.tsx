import type { Severity } from '../../shared/severity.ts'

/** A severity as icon, word and colour. */
export function SeverityLabel({ severity }: { severity: Severity }) {
  return (
    <span className="severity" data-severity={severity}>
      {severity}
    </span>
  )
}
