import { basename } from 'node:path'
import type { SettingsContent } from '../../shared/content.ts'
import { formatBytes, formatDuration } from '../../shared/format.ts'
import { type Config, isLoopback, variables } from '../config.ts'

const names = [
  'HOST',
  'PORT',
  'SIXPANE_DATA',
  'SIXPANE_PASSWORD',
  'SIXPANE_AUTH',
  'LOG_LEVEL',
  'SIXPANE_RETENTION_DAYS',
  'SIXPANE_RETENTION_GB',
  'SIXPANE_INGEST_LIMIT_MB',
  'SIXPANE_PUBLIC_URL',
  'SIXPANE_BROWSER_ORIGINS',
  'SIXPANE_SOURCEMAPS_MB',
  'SIXPANE_REDACT',
  'SIXPANE_DRILL',
] as const satisfies readonly (keyof typeof variables)[]

/** The service's own settings by the variable that sets each. No secret is among the values. */
export function serverSettings(config: Config): SettingsContent['server'] {
  const values: Record<keyof typeof variables, string> = {
    HOST: config.host,
    PORT: String(config.port),
    // Where in the file system it lies is the operator's matter, not the visitor's.
    SIXPANE_DATA: basename(config.dataFolder),
    SIXPANE_PASSWORD: config.password === null ? 'not set' : 'set',
    SIXPANE_AUTH: config.password === null && !isLoopback(config.host) ? 'none' : 'not set',
    LOG_LEVEL: config.logLevel,
    SIXPANE_RETENTION_DAYS: formatDuration(config.retention.maxAgeMs),
    SIXPANE_RETENTION_GB: formatBytes(config.retention.maxBytes),
    SIXPANE_INGEST_LIMIT_MB: formatBytes(config.ingestLimitBytes),
    SIXPANE_PUBLIC_URL: config.publicOrigin,
    SIXPANE_BROWSER_ORIGINS: config.browserOrigins.join(', ') || 'none',
    SIXPANE_SOURCEMAPS_MB: formatBytes(config.sourceMapsLimitBytes),
    SIXPANE_REDACT: config.redactPaths.join(', ') || 'none',
    SIXPANE_DRILL: config.drill ? 'on' : 'off',
  }
  return names.map(name => ({ name, value: values[name], meaning: variables[name].meaning }))
}
