/** A version of one of Sentry's SDKs. */
export type Sdk = {
  kind: 'node' | 'browser'
  /** Shown in the table. */
  name: string
  /** The file in `scripts/sentry/applications` that uses the SDK. */
  application: string
  /** Whether `--newest` includes this SDK. */
  isNewest: boolean
  manifest: string
}

/** Exact versions, so that every run installs the same packages. */
const versions = ['8.55.2', '9.47.2', '10.78.0', '11.12.0']
const cliVersions = ['2.58.5', '3.8.0']

const basicSdks = (['node', 'browser'] as const).flatMap(kind =>
  versions.map((version, index): Sdk => {
    // Alternates between the versions of `sentry-cli`.
    const cli = cliVersions[index % cliVersions.length]
    return {
      kind,
      name: `@sentry/${kind} ${version.split('.')[0]}`,
      application: kind === 'node' ? 'node.cjs' : 'browser.js',
      isNewest: version === versions.at(-1),
      manifest: manifestOf({
        [`@sentry/${kind}`]: version,
        ...(kind === 'browser' ? { '@sentry/cli': cli } : {}),
      }),
    }
  }),
)

const reactSdk: Sdk = {
  kind: 'browser',
  name: '@sentry/react 11',
  application: 'react.jsx',
  isNewest: false,
  manifest: manifestOf({
    '@sentry/react': '11.12.0',
    '@sentry/cli': '3.8.0',
    react: '19.3.1',
    'react-dom': '19.3.1',
  }),
}

export const sdks: readonly Sdk[] = [...basicSdks, reactSdk]

function manifestOf(dependencies: Record<string, string | undefined>): string {
  return JSON.stringify({ private: true, dependencies })
}
