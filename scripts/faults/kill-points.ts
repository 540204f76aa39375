import { once } from 'node:events'
import { access, cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '../../shared/paths.ts'
import { startServer } from '../test/server.ts'
import type { Check, Result } from './check.ts'
import { type Point, type Scenario, scenarios, service } from './kill-scenarios.ts'
import { withStore } from './seeded-store.ts'
import { storedMessages } from './stored-messages.ts'

const killAt = new URL('kill-at.mjs', import.meta.url)
const screens = [paths.home(), paths.activities(), paths.dashboard(), paths.development(), paths.settings()]

/**
 * Kills the server before and after specific operations. The next start must succeed, with every acknowledged event stored
 * exactly once, no file set aside, and notes and states unchanged.
 */
export const killPoints: Check = {
  async run(isShort) {
    const results: Result[] = []
    const selected = isShort ? shortForm() : scenarios
    for (const scenario of selected) {
      results.push(await withStore(0, folder => runScenario(scenario, folder)))
    }
    return results
  },
}

function shortForm(): Scenario[] {
  const names = ['batch', 'retention', 'late source maps']
  return scenarios
    .filter(({ name }) => names.includes(name))
    .map(scenario => ({ ...scenario, points: scenario.points.slice(3, 4) }))
}

async function runScenario(scenario: Scenario, folder: string): Promise<Result> {
  const prepared = join(folder, 'prepared')
  await mkdir(prepared)
  const messages = await scenario.prepare(prepared)
  const problems: string[] = []
  for (const [index, point] of scenario.points.entries()) {
    const copy = join(folder, String(index))
    await cp(prepared, copy, { recursive: true })
    const found = await killAndCheck(scenario, point, copy, messages)
    problems.push(...found.map(problem => `${point.when} ${point.at.at(-1)}: ${problem}`))
  }
  return {
    name: `${scenario.name}: ${scenario.points.length} kills`,
    value: problems.length === 0 ? 'nothing lost' : problems.join('; ').replaceAll('|', '\\|'),
    goal: 'every acknowledged event once, nothing set aside, notes and states unchanged',
    isMet: problems.length === 0,
  }
}

/** Returns the problems found after a kill. */
async function killAndCheck(
  scenario: Scenario,
  point: Point,
  folder: string,
  prepared: readonly string[],
): Promise<string[]> {
  const problems: string[] = []
  const { isKilled, acknowledged } = await runUntilKilled(scenario, point, folder)
  if (!isKilled) problems.push('the point was not reached')
  try {
    await scenario.checkKilled?.(folder)
    const server = await startServer(scenario.env, { folder })
    try {
      const stored = await storedMessages(server, service, { fromMs: 0, toMs: Date.now() + 86_400_000 })
      const lost = [...prepared, ...acknowledged].filter(message => !stored.has(message))
      if (lost.length > 0) problems.push(`lost: ${lost.join(', ')}`)
      if ([...stored.values()].some(count => count > 1)) problems.push('events stored more than once')
      for (const path of [...screens, paths.readyz()]) {
        const response = await fetch(server.origin + path)
        await response.arrayBuffer()
        if (!response.ok) problems.push(`${path} returned ${response.status}`)
      }
    } finally {
      await server.stop()
    }
    await scenario.checkRestarted?.(folder)
  } catch (error) {
    problems.push(String(error).replaceAll(/\s+/g, ' ').slice(0, 500))
  }
  const isSetAside = await access(join(folder, 'damaged')).then(
    () => true,
    () => false,
  )
  if (isSetAside) problems.push('a file was set aside')
  return problems
}

async function runUntilKilled({ env, use }: Scenario, { when, at }: Point, folder: string) {
  const preload = { NODE_OPTIONS: `--import=${killAt}`, KILL_AT: JSON.stringify(at), KILL_WHEN: when }
  const server = await startServer({ ...env, ...preload }, { folder }).catch(error => {
    // The server was killed before it was ready. If the start had failed, the message would contain the reason.
    if (String(error).endsWith('The server exited: ')) return null
    throw error
  })
  if (server === null) return { isKilled: true, acknowledged: [] }
  const { process } = server
  const exited = once(process, 'exit', { signal: AbortSignal.timeout(10_000) }).catch(() => {})
  const acknowledged = (await use?.(server)) ?? []
  if (process.exitCode === null && process.signalCode === null) await exited
  const isKilled = process.signalCode === 'SIGKILL'
  await server.kill()
  return { isKilled, acknowledged }
}
