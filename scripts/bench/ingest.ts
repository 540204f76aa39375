import { join } from 'node:path'
import { paths } from '../../shared/paths.ts'
import { openColumnAppender } from './append-columns.ts'
import { createLines } from './ingest-lines.ts'
import { load } from './load.ts'
import { measureMedians, median } from './median.ts'
import type { Part } from './part.ts'
import { cpuMs, residentMb } from './process-stats.ts'
import { serveSixpane } from './processes.ts'

const linesPerRequest = 1000

/** Measures how fast Sixpane stores and acknowledges lines. Every round sends the same lines. */
export const ingest: Part = {
  async run({ folder, rounds, isShort }) {
    const lines = createLines(isShort ? linesPerRequest : 50 * linesPerRequest, Date.now())
    const bodies = Array.from(
      { length: lines.length / linesPerRequest },
      (_, index) => `${lines.slice(index * linesPerRequest, (index + 1) * linesPerRequest).join('\n')}\n`,
    )
    const own = await serveSixpane(join(folder, 'ingest'))
    const columns = await openColumnAppender(join(folder, 'columns.duckdb'))
    const cpuUs: Record<'own' | 'json' | 'columns', number[]> = { own: [], json: [], columns: [] }
    let requests = 0
    const rate = await measureMedians(rounds, {
      own: async () => {
        const before = await cpuMs(own.pid)
        const first = requests
        const body = () => bodies[requests++ % bodies.length] ?? ''
        const perSecond = await load({ origin: own.origin, path: () => paths.ingest(), isShort, body })
        cpuUs.own.push((((await cpuMs(own.pid)) - before) * 1000) / ((requests - first) * linesPerRequest))
        return perSecond * linesPerRequest
      },
      json: () =>
        measureHere(cpuUs.json, async () => {
          for (const line of lines) JSON.stringify(JSON.parse(line))
          return lines.length
        }),
      columns: () => measureHere(cpuUs.columns, () => columns.append(isShort ? 1 : 20)),
    })
    const memoryMb = await residentMb(own.pid)
    await own.stop()
    columns.close()

    const references = (value: (name: 'columns' | 'json') => number) => [
      { name: 'DuckDB, prepared columns', value: value('columns') },
      { name: 'JSON.parse and JSON.stringify, one core', value: value('json') },
    ]
    return [
      { id: 'ingest', value: rate('own'), references: references(rate) },
      {
        id: 'ingestCpu',
        value: median(cpuUs.own),
        references: references(name => median(cpuUs[name])),
      },
      { id: 'memoryAfterIngest', value: memoryMb },
    ]
  },
}

/** Measures work in this process. Returns lines per second, and records the CPU time per line across all threads. */
async function measureHere(cpuUs: number[], work: () => Promise<number>): Promise<number> {
  const [startedMs, startedCpu] = [performance.now(), process.cpuUsage()]
  const lines = await work()
  const { user, system } = process.cpuUsage(startedCpu)
  cpuUs.push((user + system) / lines)
  return lines / ((performance.now() - startedMs) / 1000)
}
