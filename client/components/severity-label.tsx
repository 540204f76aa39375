import type { Severity } from '../../shared/severity.ts'
import { Icon } from './icon.tsx'

/** A severity as icon, word and colour. */
export function SeverityLabel({ severity }: { severity: Severity }) {
  return (
    <span className="severity" data-severity={severity}>
      <Icon name={severity} />
      {severity}
    </span>
  )
}
