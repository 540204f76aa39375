import { isLoopback, localOrigin } from './addresses.ts'
import { withSecretFiles } from './secret-files.ts'
import { type Environment, readTable, type ValuesOf } from './setting.ts'
import { allSettings } from './table.ts'

type Values = ValuesOf<typeof allSettings>

/** The settings from the environment, read once and frozen. `table.ts` describes each setting. */
export type Config = Values & {
  /** Time limit for a page, after which the failure page or, during an overload, the busy page is sent instead. */
  readonly renderDeadlineMs: number
  /** Time limit for storing the events of a request, after which the client is told to retry. */
  readonly storeDeadlineMs: number
  /** Whether the operator set the public URL. */
  readonly hasPublicOrigin: boolean
  readonly signIn: SignIn
}

/** How users sign in. `none` means that everyone may do everything. */
export type SignIn = 'none' | 'password' | 'oidc' | 'proxy'

/** Lists every invalid setting. Never contains values, because a value may be a misplaced secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * Reads the configuration from an environment, and secrets also from files.
 * @throws ConfigError with one line per problem
 */
export function readConfig(environment: Environment): Config {
  const withSecrets = withSecretFiles(environment, allSettings)
  const { values, problems } = readTable<Values>(allSettings, withSecrets.environment)
  const lines = [...withSecrets.problems, ...problems].map(([variable, problem]) => `${variable} ${problem}`)
  // Checks the sign-in settings only if all settings are valid, because an invalid setting would cause misleading problems.
  if (lines.length === 0) lines.push(...signInProblems(values))
  if (lines.length > 0) throw new ConfigError(lines)
  return Object.freeze({
    ...values,
    publicOrigin: values.publicOrigin || localOrigin(values),
    hasPublicOrigin: values.publicOrigin !== '',
    signIn: signInOf(values),
    renderDeadlineMs: 10_000,
    storeDeadlineMs: 30_000,
  })
}

/** Whether every visitor and service must authenticate. */
export function requiresSignIn({ signIn }: Pick<Config, 'signIn'>): boolean {
  return signIn !== 'none'
}

function signInOf({ oidcIssuer, auth, password }: Values): SignIn {
  if (oidcIssuer !== '') return 'oidc'
  if (auth === 'proxy') return 'proxy'
  return password === null ? 'none' : 'password'
}

/** Returns the problems that would prevent users from signing in, or would let everyone in. */
function signInProblems(values: Values): string[] {
  const { host, auth, trustedProxies, admins, members, viewers } = values
  const hasRoles = admins.length + members.length + viewers.length > 0
  const roles: [string, boolean] = [
    'SIXPANE_ADMINS, SIXPANE_MEMBERS or SIXPANE_VIEWERS (who may sign in)',
    hasRoles,
  ]
  const oidc = [
    ['SIXPANE_OIDC_ISSUER', values.oidcIssuer !== ''],
    ['SIXPANE_OIDC_CLIENT_ID', values.oidcClientId !== ''],
    ['SIXPANE_OIDC_CLIENT_SECRET', values.oidcClientSecret !== ''],
  ] as const
  const [ofOidc] = oidc.find(([, isSet]) => isSet) ?? []
  if (ofOidc !== undefined) {
    if (auth !== '' && values.oidcIssuer !== '')
      return [`${ofOidc} must not be set together with SIXPANE_AUTH`]
    return missing(ofOidc, [...oidc, roles])
  }
  if (auth === 'proxy') {
    const proxies: [string, boolean] = [
      'SIXPANE_TRUST_PROXY (the address of the proxy)',
      trustedProxies.length > 0,
    ]
    return missing('SIXPANE_AUTH=proxy', [proxies, roles])
  }
  if (hasRoles && auth !== 'none')
    return [
      'SIXPANE_ADMINS, SIXPANE_MEMBERS and SIXPANE_VIEWERS need SIXPANE_OIDC_ISSUER or SIXPANE_AUTH=proxy',
    ]
  const isOpen = values.password === null && auth !== 'none' && !isLoopback(host)
  return isOpen
    ? [
        'HOST is not a loopback address: set SIXPANE_PASSWORD or SIXPANE_OIDC_ISSUER. Behind a proxy that authenticates visitors, set SIXPANE_AUTH=proxy or none instead',
      ]
    : []
}

/** @param needed the names of the required variables, and whether each is set */
function missing(variable: string, needed: readonly (readonly [string, boolean])[]): string[] {
  const names = needed.flatMap(([name, isSet]) => (isSet ? [] : [name]))
  return names.length === 0 ? [] : [`${variable} must be set together with ${names.join(' and ')}`]
}
