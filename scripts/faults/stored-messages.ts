import { paths } from '../../shared/paths.ts'
import type { Range } from '../../shared/range.ts'
import type { StartedServer } from '../test/server.ts'

/** Counts a service's stored events by message. */
export async function storedMessages(
  { origin }: StartedServer,
  service: string,
  range?: Range,
): Promise<Map<string, number>> {
  const query = { q: `service:${service}`, format: 'ndjson', ...(range && { range }) } as const
  const response = await fetch(origin + paths.export(query))
  if (!response.ok) throw new Error(`The export returned status ${response.status}: ${await response.text()}`)
  const counts = new Map<string, number>()
  for (const line of (await response.text()).split('\n')) {
    if (line === '') continue
    const { message }: { message: string } = JSON.parse(line)
    counts.set(message, (counts.get(message) ?? 0) + 1)
  }
  return counts
}
