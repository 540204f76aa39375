import type { Json, LogEvent } from '../../../shared/event.ts'
import { attributeKeys } from './attribute-keys.ts'

/** An attribute, or `undefined` if it is `null` or absent. */
export function attributeValue(event: Pick<LogEvent, 'attributes'>, path: string): Json | undefined {
  return attributeValues(event, path).find(each => each !== null)
}

/** An attribute as text, or `null`. */
export function attributeText(event: Pick<LogEvent, 'attributes'>, path: string): string | null {
  const value = attributeValue(event, path)
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The values that a path may refer to: see `attributeKeys`. */
export function attributeValues({ attributes }: Pick<LogEvent, 'attributes'>, path: string): Json[] {
  return attributeKeys(path)
    .map(keys => keys.reduce<Json | undefined>(valueUnder, attributes))
    .filter(value => value !== undefined)
}

function valueUnder(parent: Json | undefined, key: string): Json | undefined {
  if (typeof parent !== 'object' || parent === null) return undefined
  if (Array.isArray(parent)) return /^\d+$/.test(key) ? parent[Number(key)] : undefined
  return Object.hasOwn(parent, key) ? parent[key] : undefined
}
