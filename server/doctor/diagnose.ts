import { pluralise } from '../../shared/format.ts'
import type { Config } from '../settings/config.ts'
import { checkClickHouse } from './check-clickhouse.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { checkProvider } from './check-provider.ts'
import { checkPublicUrl, checkServer } from './check-server.ts'
import { checkStore } from './check-store.ts'
import type { Finding } from './finding.ts'

const marks = { ok: '✔', warning: '!', problem: '✘' } as const

/**
 * Runs all checks. Returns the exit code and the output of `sixpane doctor`.
 * @param env the environment variables of the server
 */
export async function diagnose(env: Readonly<NodeJS.ProcessEnv>): Promise<{ code: number; output: string }> {
  const findings = await examine(env)
  const problems = findings.filter(({ level }) => level === 'problem').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const summary = [
    ...(warnings === 0 ? [] : [pluralise(warnings, 'warning')]),
    ...(problems === 0 ? [] : [pluralise(problems, 'problem')]),
  ]
  const lines = [
    ...findings.map(({ level, check, text }) => `${marks[level]} ${check}: ${text}`),
    summary.join(', ') || 'No problems found',
  ]
  return { code: problems === 0 ? 0 : 1, output: lines.map(line => `${line}\n`).join('') }
}

async function examine(env: Readonly<NodeJS.ProcessEnv>): Promise<Finding[]> {
  const { config, findings } = checkConfiguration(env)
  if (config === null) return findings
  const { isRunning, finding } = await checkServer(config)
  return [
    ...findings,
    finding,
    ...(await (config.storeAddress === null
      ? checkStore(config, isRunning, Date.now())
      : checkClickHouse(config.storeAddress, config))),
    ...(await checkProvider(config)),
    ...(await checkPublicUrl(config, isRunning)),
    ...(await checkCollector(config)),
  ]
}

async function checkCollector({ tracesEndpoint: url }: Config): Promise<Finding[]> {
  const advice = 'No spans are exported. Check OTEL_EXPORTER_OTLP_ENDPOINT'
  return url === '' ? [] : [await checkEndpoint('Spans', { name: '', url, advice })]
}
