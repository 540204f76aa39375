/**
 * `sixpane doctor`: checks the configuration, the store and the servers that Sixpane uses, and explains every problem.
 * Changes nothing.
 */
import { pluralise } from '../shared/format.ts'
import { checkClickHouse } from './doctor/check-clickhouse.ts'
import { checkConfiguration } from './doctor/check-configuration.ts'
import { checkEndpoint } from './doctor/check-endpoint.ts'
import { checkProvider } from './doctor/check-provider.ts'
import { checkPublicUrl, checkServer } from './doctor/check-server.ts'
import { checkStore } from './doctor/check-store.ts'
import type { Finding } from './doctor/finding.ts'
import type { Config } from './settings/config.ts'

const marks = { ok: '✔', warning: '!', problem: '✘' } as const

const findings = await examine()
for (const { level, check, text } of findings) process.stdout.write(`${marks[level]} ${check}: ${text}\n`)
const problems = findings.filter(({ level }) => level === 'problem').length
const warnings = findings.filter(({ level }) => level === 'warning').length
const summary = [
  ...(warnings === 0 ? [] : [pluralise(warnings, 'warning')]),
  ...(problems === 0 ? [] : [pluralise(problems, 'problem')]),
]
process.stdout.write(`${summary.join(', ') || 'No problems found'}\n`)
process.exitCode = problems === 0 ? 0 : 1

async function examine(): Promise<Finding[]> {
  const { config, findings } = checkConfiguration(process.env)
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
