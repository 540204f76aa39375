import type { SettingsDone, SettingsPart } from '../paths.ts'
import type { FormPreferences } from '../preferences.ts'
import type { WebhookConditions } from '../webhook.ts'

export type SettingsContent = {
  /** What the form shows: the kept preferences, or what was typed where it could not be kept. */
  values: Record<keyof FormPreferences, string>
  problems: Partial<Record<keyof FormPreferences, string>>
  /** What a form just did. */
  done: SettingsDone | null
  /** A secret that a form just made: shown this once. */
  made: { kind: 'token' | 'webhook'; name: string; secret: string } | null
  timeZones: string[]
  level: SettingField & { levels: string[] }
  retention: RetentionForm
  redaction: RedactionForm
  webhooks: WebhookRow[]
  webhookForm: WebhookForm
  /** The webhook that a test message was just sent to. */
  tested: string | null
  tokens: { id: string; name: string; createdMs: number }[]
  tokenForm: { name: string; problem: string | null }
  /** Whether a token is asked for at all: without a password everything is open. */
  isPasswordAsked: boolean
  /** The service's own settings by their variables: what holds, what it means, and where it can be changed. */
  server: {
    name: string
    value: string
    meaning: string
    part: SettingsPart | null
    /** What the environment says, where it was changed on the screen. */
    environment: string | null
  }[]
  redacted: string[]
}

/** A setting of the service that can be changed while it runs. */
export type SettingField = {
  /** What stands in the field: what holds, or what was typed where it could not be kept. */
  value: string
  problem: string | null
  /** What the environment says, as the field would hold it. */
  environment: string
  /** Whether it was changed here: that wins over the environment. */
  isChanged: boolean
}

export type RetentionForm = {
  days: SettingField
  gigabytes: SettingField
  kept: { events: number; diskBytes: number; oldestMs: number | null; damagedFiles: readonly string[] }
  /** Asked before a change that drops events: how many, and what is to be changed. */
  confirm: { dropped: number; days: string; gigabytes: string } | null
}

/** Paths stand one a line. */
export type RedactionForm = SettingField & {
  sample: string
  sampleProblem: string | null
  /** What would be kept of the sample. */
  tried: string | null
}

/** The forms of the screen, by what their field `form` says. */
export const settingsForms = {
  preferences: 'preferences',
  level: 'level',
  retention: 'retention',
  redaction: 'redaction',
  addWebhook: 'add-webhook',
  changeWebhook: 'change-webhook',
  testWebhook: 'test-webhook',
  removeWebhook: 'remove-webhook',
  makeToken: 'make-token',
  revokeToken: 'revoke-token',
} as const

export type WebhookRow = {
  id: string
  name: string
  /** Scheme and host: what follows is often the secret of the receiver. */
  origin: string
  conditions: WebhookConditions
  /** Its address stays as it is where none is typed. */
  form: WebhookForm
  /** The newest messages, newest first. */
  deliveries: DeliveryRow[]
}

export type DeliveryRow = {
  id: string
  kind: 'new' | 'returned' | 'ratio' | 'test'
  createdMs: number
  attempts: number
  state: 'waiting' | 'delivered' | 'failed'
  /** HTTP status of the newest answer. */
  status: number | null
  /** Why it did not arrive. */
  problem: string | null
  /** When it is tried next. */
  nextMs: number | null
}

/** What stands in the form of a webhook; `on` and nothing for a box that is ticked and one that is not. */
export type WebhookForm = {
  values: Record<WebhookField, string>
  problems: Partial<Record<WebhookField, string>>
}

export type WebhookField = 'name' | 'url' | 'new' | 'returned' | 'ratio' | 'minutes'
