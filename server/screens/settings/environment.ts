import { basename } from 'node:path'
import { formatBytes, formatDuration } from '../../../shared/format.ts'
import type { SettingsPart } from '../../../shared/paths.ts'
import type { SettingsContent } from '../../../shared/screens/settings.ts'
import { type Config, isLoopback, variables } from '../../config.ts'
import type { Settings } from '../../settings/service-settings.ts'
import { isChangeable, type ServiceSettings, type SettingName } from '../../settings/values.ts'

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
  'SIXPANE_TRUST_PROXY',
  'SIXPANE_SOURCEMAPS_MB',
  'SIXPANE_REDACT',
  'SIXPANE_DRILL',
] as const satisfies readonly (keyof typeof variables)[]

/** Where each can be changed. */
const parts: Readonly<Record<SettingName, SettingsPart>> = {
  LOG_LEVEL: 'log-level',
  SIXPANE_RETENTION_DAYS: 'retention',
  SIXPANE_RETENTION_GB: 'retention',
  SIXPANE_REDACT: 'redaction',
}

/** The service's own settings by the variable that sets each. No secret is among the values. */
export function serverSettings(config: Config, settings: Settings): SettingsContent['server'] {
  const current = shown(settings.current())
  const environment = shown(settings.environment)
  const changed = settings.changed()
  const values: Record<keyof typeof variables, string> = {
    HOST: config.host,
    PORT: String(config.port),
    // Where in the file system it lies is the operator's matter, not the visitor's.
    SIXPANE_DATA: basename(config.dataFolder),
    SIXPANE_PASSWORD: config.password === null ? 'not set' : 'set',
    SIXPANE_AUTH: config.password === null && !isLoopback(config.host) ? 'none' : 'not set',
    ...current,
    SIXPANE_INGEST_LIMIT_MB: formatBytes(config.ingestLimitBytes),
    SIXPANE_PUBLIC_URL: config.publicOrigin,
    SIXPANE_BROWSER_ORIGINS: config.browserOrigins.join(', ') || 'none',
    SIXPANE_TRUST_PROXY: config.trustedProxies.join(', ') || 'none',
    SIXPANE_SOURCEMAPS_MB: formatBytes(config.sourceMapsLimitBytes),
    SIXPANE_DRILL: config.drill ? 'on' : 'off',
  }
  return names.map(name => ({
    name,
    value: values[name],
    meaning: variables[name].meaning,
    part: isChangeable(name) ? parts[name] : null,
    environment: isChangeable(name) && changed[name] !== undefined ? environment[name] : null,
  }))
}

function shown({ logLevel, retention, redactPaths }: ServiceSettings): Record<SettingName, string> {
  return {
    LOG_LEVEL: logLevel,
    SIXPANE_RETENTION_DAYS: formatDuration(retention.maxAgeMs),
    SIXPANE_RETENTION_GB: formatBytes(retention.maxBytes),
    SIXPANE_REDACT: redactPaths.join(', ') || 'none',
  }
}
