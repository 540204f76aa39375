/** A version of one of Sentry's SDKs. */
export type Sdk = {
  kind: 'node' | 'browser'
  /** Shown in the table. */
  name: string
  /** Whether every run of the checks includes it. */
  isNewest: boolean
  manifest: string
}

/** Exact versions, so that equal runs install equal packages. */
const versions = ['8.55.2', '9.47.2', '10.78.0', '11.12.0']
const cliVersions = ['2.58.5', '3.8.0']

export const sdks: readonly Sdk[] = (['node', 'browser'] as const).flatMap(kind =>
  versions.map((version, index) => {
    const [major] = version.split('.')
    // Each version of the command is used for some builds.
    const cli = cliVersions[index % cliVersions.length]
    const dependencies = {
      [`@sentry/${kind}`]: version,
      ...(kind === 'browser' ? { '@sentry/cli': cli } : {}),
    }
    return {
      kind,
      name: `@sentry/${kind} ${major}`,
      isNewest: version === versions.at(-1),
      manifest: JSON.stringify({ private: true, dependencies }),
    }
  }),
)
