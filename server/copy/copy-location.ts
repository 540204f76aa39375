import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../shared/error-code.ts'
import { describeStore, parseStore } from '../settings/store-address.ts'
import type { ServerAddress } from '../store/clickhouse/engine/server-address.ts'
import type { Store } from '../store/store.ts'
import { CopyError } from './copy-error.ts'

/** The location of the store to copy from or to. */
export type CopyLocation =
  | { kind: 'folder'; folder: string }
  | { kind: 'clickhouse'; address: ServerAddress }
  /** A running Sixpane server. */
  | { kind: 'server'; origin: string }

/** `close` also deletes temporary files. */
export type OpenedLocation = { store: Store; close(): Promise<void> }

export type LocationOption = 'from' | 'to'

/** The value of an option such as `--from`, or the path of a file that contains it (`--from-file`). */
export type LocationValue = { option: LocationOption; value: string | undefined; file: string | undefined }

/** @throws CopyError */
export function readLocation({ option, value, file }: LocationValue): CopyLocation {
  if ((value === undefined) === (file === undefined))
    throw new CopyError(`set either --${option} or --${option}-file`)
  return parseLocation(option, value ?? readLine(option, file ?? ''))
}

/** Describes a location, omitting its credentials. */
export function describeLocation(location: CopyLocation): string {
  if (location.kind === 'folder') return location.folder
  return location.kind === 'server' ? location.origin : describeStore(location.address)
}

/** The text may contain a password, so error messages do not include it. */
function parseLocation(option: LocationOption, text: string): CopyLocation {
  const trimmed = text.trim()
  if (trimmed === '') throw new CopyError(`--${option} is empty`)
  if (/^clickhouse:/i.test(trimmed)) {
    const parsed = parseStore(trimmed)
    if ('problem' in parsed) throw new CopyError(`--${option} ${parsed.problem}`)
    if (parsed.value !== null) return { kind: 'clickhouse', address: parsed.value }
  }
  if (/^https?:/i.test(trimmed)) return serverAt(option, trimmed)
  if (/^[a-z]+:\/\//i.test(trimmed)) {
    throw new CopyError(
      `--${option} must be a data folder${option === 'from' ? ', the URL of a running Sixpane server,' : ''} or an address such as clickhouse://user:password@host:8443/database`,
    )
  }
  return { kind: 'folder', folder: resolve(trimmed) }
}

function serverAt(option: LocationOption, text: string): CopyLocation {
  if (option === 'to')
    throw new CopyError(
      'a running Sixpane server cannot be the target. Stop it, and set --to to its data folder or its ClickHouse address',
    )
  if (!URL.canParse(text)) throw new CopyError('--from must be a URL such as http://127.0.0.1:3000')
  const { origin, username, password } = new URL(text)
  if (username !== '' || password !== '')
    throw new CopyError('--from must not contain credentials. Set SIXPANE_TOKEN to a token instead')
  return { kind: 'server', origin }
}

function readLine(option: LocationOption, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    throw new CopyError(
      `--${option}-file must name a file that can be read${code === null ? '' : ` (${code})`}`,
    )
  }
}
