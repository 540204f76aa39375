import type { Attributes, Json } from '../../../shared/event.ts'
import type { Scope } from './model.ts'
import { setField } from './values.ts'

/**
 * One flat record out of what OTLP keeps apart: what the protocol says itself, the resource, the item, its scope. A
 * name that is taken already gets the name of its part before it, so that nothing is lost and what the protocol
 * says is never overruled by an attribute of the same name.
 */
export class FlatRecord {
  readonly fields: Attributes = {}

  /** What the protocol says, under the name by which normalise looks for it first. Nothing is said by `null`. */
  say(name: string, value: Json): void {
    if (value !== null && value !== '' && value !== 0) this.fields[name] = value
  }

  add(part: string, attributes: Attributes): void {
    for (const name of Object.keys(attributes)) {
      const value = attributes[name]
      if (value === undefined) continue
      setField(this.fields, Object.hasOwn(this.fields, name) ? `${part}.${name}` : name, value)
    }
  }

  /** Under the names of https://opentelemetry.io/docs/specs/otel/common/mapping-to-non-otlp/#instrumentationscope */
  addScope({ name, version, attributes }: Scope): void {
    this.say('otel.scope.name', name)
    this.say('otel.scope.version', version)
    for (const each of Object.keys(attributes)) this.fields[`otel.scope.${each}`] = attributes[each] ?? null
  }
}

/** An id; `null` where there is none, which is also written as zeros. */
export function idOf(hex: string): string | null {
  return /^0*$/.test(hex) ? null : hex
}
