import { dayMs } from '../../../shared/duration-units.ts'
import { type TokenForm, type TokenRow, tokenLifetimes } from '../../../shared/screens/settings.ts'
import { tokenScopes } from '../../../shared/token.ts'
import { createToken, isExpired } from '../../auth/tokens.ts'
import type { StoredToken, TokenStore } from '../../store/token-store.ts'
import type { Outcome } from './form-outcome.ts'

const maxTokens = 100
const maxNameLength = 60
const maxServices = 20
const maxServiceLength = 200

/** The initial values of the form. Most tokens belong to a service that sends events and uploads its source maps. */
export const newTokenForm: TokenForm = {
  name: '',
  scopes: ['ingest', 'source-maps'],
  services: '',
  days: '',
  problems: {},
}

export function tokenRow(token: StoredToken, nowMs: number): TokenRow {
  const { hash: _, ...row } = token
  return { ...row, isExpired: isExpired(row, nowMs) }
}

/** Creates a token. Only the response to the form shows it. */
export async function makeToken(form: URLSearchParams, tokens: TokenStore, nowMs: number): Promise<Outcome> {
  const values = valuesIn(form)
  const services = servicesIn(values.services)
  const existing = await tokens.list()
  const problems = problemsOf(values, services, existing)
  if (Object.keys(problems).length > 0)
    return { kind: 'invalid', content: { tokenForm: { ...values, problems } } }
  const { name, days } = values
  const { secret } = await createToken(
    {
      name,
      scopes: tokenScopes.filter(scope => values.scopes.includes(scope)),
      services: services.length === 0 ? null : services,
      expiresMs: days === '' ? null : nowMs + Number(days) * dayMs,
    },
    tokens,
    nowMs,
  )
  return {
    kind: 'page',
    content: { newSecret: { kind: 'token', name, secret } },
    title: 'Token created · Settings',
    change: { action: 'Created a token', details: `${name} (${values.scopes.join(', ')})` },
  }
}

export async function revokeToken(id: string, tokens: TokenStore): Promise<Outcome> {
  const revoked = (await tokens.list()).find(token => token.id === id)
  await tokens.remove(id)
  return {
    kind: 'saved',
    code: 'token-revoked',
    ...(revoked !== undefined && { change: { action: 'Revoked a token', details: revoked.name } }),
  }
}

function valuesIn(form: URLSearchParams): Omit<TokenForm, 'problems'> {
  return {
    name: form.get('name')?.trim() ?? '',
    scopes: tokenScopes.filter(scope => form.get(`scope-${scope}`) === 'on'),
    services: form.get('services')?.trim() ?? '',
    days: form.get('days') ?? '',
  }
}

function servicesIn(text: string): string[] {
  const names = text.split(',').map(name => name.trim())
  return [...new Set(names.filter(name => name !== ''))]
}

function problemsOf(
  { name, scopes, days }: Omit<TokenForm, 'problems'>,
  services: readonly string[],
  existing: readonly StoredToken[],
): TokenForm['problems'] {
  const problems: [keyof TokenForm['problems'], string | null][] = [
    ['name', nameProblem(name, existing)],
    ['scopes', scopes.length === 0 ? 'Choose what the token may do' : null],
    ['services', servicesProblem(services, scopes)],
    ['days', Object.hasOwn(tokenLifetimes, days) ? null : 'Choose a lifetime'],
  ]
  return Object.fromEntries(problems.filter(([, problem]) => problem !== null))
}

function servicesProblem(services: readonly string[], scopes: readonly string[]): string | null {
  if (services.length > maxServices || services.some(service => service.length > maxServiceLength))
    return `Enter at most ${maxServices} names, each up to ${maxServiceLength} characters`
  // See `needsAllServices` in routes/backup.ts.
  return services.length > 0 && scopes.includes('backup')
    ? 'A backup contains the events of all services. Leave this empty, or create a separate token to download backups'
    : null
}

function nameProblem(name: string, existing: readonly StoredToken[]): string | null {
  if (name === '') return 'Enter a name so you can identify this token later'
  if (name.length > maxNameLength) return `Enter at most ${maxNameLength} characters`
  if (existing.some(token => token.name === name))
    return 'A token with this name already exists. Revoke it first, or choose another name'
  return existing.length >= maxTokens ? `There are already ${maxTokens} tokens. Revoke one first` : null
}
