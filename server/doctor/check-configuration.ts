import { totalmem } from 'node:os'
import { formatBytes } from '../../shared/format.ts'
import { isLoopback } from '../settings/addresses.ts'
import { type Config, ConfigError, readConfig } from '../settings/config.ts'
import type { Environment } from '../settings/setting.ts'
import { allSettings } from '../settings/table.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const check = 'Configuration'
/**
 * The variables that Kubernetes sets in containers if there is a service called `sixpane`.
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const kubernetesVariable = /^SIXPANE_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/

/** Reads the configuration. `config` is `null` if the configuration is invalid. */
export function checkConfiguration(environment: Environment): { config: Config | null; findings: Finding[] } {
  const unknown = unknownVariables(environment).map(name =>
    warning(check, `Sixpane has no setting ${name}. Check its spelling`),
  )
  try {
    const config = readConfig(environment)
    const findings = [...unknown, ...risks(config)]
    return { config, findings: findings.length > 0 ? findings : [ok(check, 'All settings are valid')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, findings: [...error.problems.map(each => problem(check, each)), ...unknown] }
  }
}

function unknownVariables(environment: Environment): string[] {
  const known = Object.values(allSettings).flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  )
  // The clients and the `sixpane` command read these.
  const others = ['SIXPANE_URL', 'SIXPANE_TOKEN', 'SIXPANE_RELEASE']
  const isInKubernetes = environment.SIXPANE_SERVICE_HOST !== undefined
  return Object.keys(environment).filter(
    name =>
      name.startsWith('SIXPANE_') &&
      !known.includes(name) &&
      !others.includes(name) &&
      !(isInKubernetes && kubernetesVariable.test(name)),
  )
}

/** Settings that are valid but probably not intended. */
function risks({ host, signIn, engineMemoryBytes, storeAddress }: Config): Finding[] {
  const findings: Finding[] = []
  if (signIn === 'none' && !isLoopback(host))
    findings.push(
      warning(
        check,
        `Everyone who can connect to Sixpane is an administrator, because HOST is ${host} and SIXPANE_AUTH is none. Set SIXPANE_PASSWORD, unless a proxy authenticates every visitor`,
      ),
    )
  if (engineMemoryBytes !== null && storeAddress !== null)
    return [...findings, warning(check, 'SIXPANE_ENGINE_MB has no effect, because SIXPANE_STORE is set')]
  const limitBytes = memoryLimitBytes()
  if (engineMemoryBytes !== null && engineMemoryBytes > limitBytes / 2)
    findings.push(
      warning(
        check,
        `SIXPANE_ENGINE_MB is ${formatBytes(engineMemoryBytes)}, more than half of the ${formatBytes(limitBytes)} that this machine or container has. Sixpane could be killed for using too much memory`,
      ),
    )
  return findings
}

function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
