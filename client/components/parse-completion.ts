import type { Completion } from '../../shared/completion.ts'

/** Parses a completion. Returns `null` for unexpected data, because the server may be running another build. */
export function parseCompletion(value: unknown): Completion | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('from' in value) || !('to' in value) || !('options' in value)) return null
  const { from, to, options } = value
  if (typeof from !== 'number' || typeof to !== 'number' || !Array.isArray(options)) return null
  return options.every(isOption) ? { from, to, options } : null
}

function isOption(value: unknown): value is Completion['options'][number] {
  if (typeof value !== 'object' || value === null) return false
  return ['text', 'label', 'hint'].every(name => typeof Reflect.get(value, name) === 'string')
}
