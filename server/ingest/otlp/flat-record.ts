import type { Attributes, Json } from '../../../shared/event.ts'
import { setField } from '../../events/clean.ts'
import type { Scope } from './model.ts'

/**
 * Merges the parts of an OTLP item (protocol fields, resource attributes, attributes, scope) into one flat record. Prefixes
 * a duplicate name with the name of its part, so that nothing is lost and attributes cannot override protocol fields.
 */
export class FlatRecord {
  readonly fields: Attributes = {}

  /** Sets a protocol field under the name that `Normalise` reads first. Ignores `null`, empty text and 0. */
  set(name: string, value: Json): void {
    if (value !== null && value !== '' && value !== 0) this.fields[name] = value
  }

  /** Adds the attributes of a part (`resource`, `attributes`, `body`). */
  add(part: string, attributes: Attributes): void {
    for (const name of Object.keys(attributes)) {
      const value = attributes[name]
      if (value === undefined) continue
      setField(this.fields, Object.hasOwn(this.fields, name) ? `${part}.${name}` : name, value)
    }
  }

  /** Adds the scope, with the names from https://opentelemetry.io/docs/specs/otel/common/mapping-to-non-otlp/#instrumentationscope */
  addScope({ name, version, attributes }: Scope): void {
    this.set('otel.scope.name', name)
    this.set('otel.scope.version', version)
    for (const each of Object.keys(attributes)) this.fields[`otel.scope.${each}`] = attributes[each] ?? null
  }
}

/** Returns an id, or `null` if it is empty or all zeros. */
export function idOf(hex: string): string | null {
  return /^0*$/.test(hex) ? null : hex
}
