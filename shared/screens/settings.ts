import type { HtmlFragment } from '../html-fragment.ts'
import type { FormPreferences } from '../preferences.ts'
import type { TokenScope } from '../token.ts'
import type { User } from '../user.ts'
import type { WebhookConditions } from '../webhook.ts'

/** The titles of the screen's sections, by anchor. */
export const settingsSections = {
  preferences: 'Preferences',
  account: 'Account',
  'log-level': 'Log level',
  retention: 'Retention',
  redaction: 'Redaction',
  webhooks: 'Webhooks',
  tokens: 'Tokens',
  audit: 'Audit log',
  service: 'Environment',
} as const
export type SettingsSection = keyof typeof settingsSections

/** The values of the `form` field, which identifies a form of the screen. */
export const settingsForms = {
  preferences: 'preferences',
  /** Switches between the browser's time zone and UTC, and returns to the page in the `back` field. */
  zone: 'zone',
  level: 'level',
  retention: 'retention',
  redaction: 'redaction',
  addWebhook: 'add-webhook',
  changeWebhook: 'change-webhook',
  testWebhook: 'test-webhook',
  removeWebhook: 'remove-webhook',
  makeToken: 'make-token',
  revokeToken: 'revoke-token',
  undo: 'undo',
} as const

export type SettingsContent = {
  preferences: PreferencesForm
  /** The IANA time zone names that the form offers. */
  timeZones: string[]
  /** `null` if sign-in is not required. */
  account: Account | null
  /** `null` if the visitor is not an administrator. */
  service: ServiceSettings | null
  /** Confirms that a form was just saved. */
  saved: SaveNotice | null
}

/** Who is signed in. */
export type Account = User & {
  /**
   * Whether the visitor can sign out of Sixpane, which requires OpenID Connect. The browser or a proxy manages other
   * sign-ins.
   */
  canSignOut: boolean
}

/** The sections that only administrators can see and change. */
export type ServiceSettings = {
  level: SettingField & FormVersion & { levels: string[] }
  retention: RetentionForm
  redaction: RedactionForm
  /** Field names whose values are always redacted. */
  redactedNames: string[]
  webhooks: WebhookRow[]
  webhookForm: WebhookForm
  /** The webhook that a test message was just sent to. */
  testedWebhookId: string | null
  tokens: TokenRow[]
  tokenForm: TokenForm
  /** Whether the screens and the ingest endpoints require authentication. */
  requiresSignIn: boolean
  /** A table of all settings. */
  environment: HtmlFragment
  /** The latest changes that users made, newest first. */
  audit: AuditRow[]
  /** A secret that was just created. It is shown only once. */
  newSecret: NewSecret | null
}

/** The stored preferences, or the entered values if the form could not be saved. */
export type PreferencesForm = {
  values: Record<keyof FormPreferences, string>
  problems: Partial<Record<keyof FormPreferences, string>>
}

export type TokenRow = {
  id: string
  name: string
  createdMs: number
  scopes: readonly TokenScope[]
  /** `null` means all. */
  services: readonly string[] | null
  expiresMs: number | null
  isExpired: boolean
  /** Accurate to about ten minutes; `null` if the token has never been used. */
  usedMs: number | null
}

/** The values of the form that creates a token. */
export type TokenForm = {
  name: string
  scopes: readonly string[]
  services: string
  days: string
  problems: Partial<Record<'name' | 'scopes' | 'services' | 'days', string>>
}

/** The lifetimes of a new token in days. With an empty value, the token never expires. */
export const tokenLifetimes = {
  '': 'Never',
  '30': 'After 30 days',
  '365': 'After a year',
} as const

export type AuditRow = { id: string; atMs: number; user: string | null; action: string; details: string }

/** `undoId` identifies the change if it can be undone. */
export type SaveNotice = { section: SettingsSection; text: string; undoId: string | null }
export type NewSecret = { kind: 'token' | 'webhook'; name: string; secret: string }

/** The field of a setting that can be changed at run time. */
export type SettingField = {
  /** The current value, or the entered value if the form could not be saved. */
  value: string
  problem: string | null
  /** The environment's value, in the format of the field. */
  environment: string
  /** Whether `environment` is the default, which applies if the environment variable is not set. */
  isDefault: boolean
  /** Whether a value set on the screen overrides the environment. */
  isChanged: boolean
}

/** A form contains a hash of the stored values, so that it cannot undo a change that somebody makes in the meantime. */
type FormVersion = { version: string }

export type RetentionForm = FormVersion & {
  days: SettingField
  gigabytes: SettingField
  stored: { events: number; diskBytes: number; oldestMs: number | null; damagedFiles: readonly string[] }
  /** How much disk space a day of events needs, and which limit applies first; `null` if unknown. */
  forecast: string | null
  /** Asks for confirmation of a change that deletes events. */
  confirm: { dropped: number; days: string; gigabytes: string } | null
}

/** The value contains one path per line. */
export type RedactionForm = SettingField &
  FormVersion & {
    sample: string
    sampleProblem: string | null
    /** The sample after redaction. */
    preview: string | null
  }

export type WebhookRow = FormVersion & {
  id: string
  name: string
  /** Scheme and host only, because the rest of the URL is often secret. */
  origin: string
  conditions: WebhookConditions
  /** The form for changing the webhook. An empty URL keeps the stored URL. */
  form: WebhookForm
  /** The latest messages, which include the latest test, newest first. */
  deliveries: DeliveryRow[]
}

export type DeliveryRow = {
  id: string
  kind: 'new' | 'returned' | 'ratio' | 'test'
  createdMs: number
  attempts: number
  state: 'waiting' | 'delivered' | 'failed'
  /** HTTP status of the latest response. */
  status: number | null
  /** Why the message was not delivered. */
  problem: string | null
  nextMs: number | null
}

/** The fields as text. A checkbox is `on` or empty. */
export type WebhookForm = {
  values: Record<WebhookField, string>
  problems: Partial<Record<WebhookField, string>>
}

export type WebhookField = 'name' | 'url' | 'new' | 'returned' | 'ratio' | 'minutes'
