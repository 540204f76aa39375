import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { countJsonValues } from '../../source-maps/count-json-values.ts'
import { pathParts } from '../../source-maps/file-path.ts'
import { readDebugId } from '../../source-maps/source-map.ts'
import { BundleError } from './bundle-error.ts'
import { uploadLimits } from './upload-limits.ts'

/** A source map that the manifest lists. */
export type ListedMap = {
  /** The path of the generated file. */
  path: string
  debugId: string | null
}

export type Manifest = {
  /** `null` if the bundle belongs to no release. */
  release: string | null
  /** Source maps by the name of their ZIP entry. */
  maps: ReadonlyMap<string, ListedMap>
}

const listedFile = Type.Object({
  type: Type.Optional(Type.Unknown()),
  url: Type.Optional(Type.Unknown()),
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const manifest = Type.Object({
  release: Type.Optional(Type.Unknown()),
  files: Type.Record(Type.String(), listedFile),
})

/** `sourceMap` is the path that the `sourcemap` header points to, without `.map`. */
type File = { url: string; debugId: string | null; sourceMap: string | null }

/**
 * Reads the source maps from the `manifest.json` of a bundle. The path of a map is that of the file whose `sourcemap` header
 * points to the map or, if there is no such file, the URL of the map without `.map`. Sentry's bundler plugins rename both
 * files to their debug id but do not change the header, which then contains the original name.
 * @throws BundleError if the manifest is invalid
 */
export function readManifest(json: Buffer): Manifest {
  const { release, files } = parse(json)
  const generated = new Map<string, File>()
  const originalPaths = new Map<string, string>()
  const maps: [string, File][] = []
  for (const [entry, { type, url, headers = {} }] of Object.entries(files)) {
    if (typeof url !== 'string') continue
    const file = {
      url,
      debugId: readDebugId(header(headers, 'debug-id')),
      sourceMap: sourceMapOf(url, headers),
    }
    if (type === 'source_map') maps.push([entry, file])
    if (type !== 'minified_source' || file.sourceMap === null) continue
    if (!generated.has(file.sourceMap)) generated.set(file.sourceMap, file)
    if (file.debugId !== null) originalPaths.set(file.debugId, file.sourceMap)
  }
  return {
    release: typeof release === 'string' ? release : null,
    maps: new Map(
      maps.map(([entry, map]) => {
        const file = generated.get(keyOf(map.url))
        const debugId = map.debugId ?? file?.debugId ?? null
        const originalPath = debugId === null ? undefined : originalPaths.get(debugId)
        const url = file?.url ?? originalPath ?? map.url.replace(/\.map(?=$|[?#])/, '')
        return [entry, { path: withoutHost(url), debugId }]
      }),
    ),
  }
}

function parse(json: Buffer) {
  if (countJsonValues(json, uploadLimits.manifestValues) > uploadLimits.manifestValues)
    throw new BundleError('The `manifest.json` of the bundle has too many values')
  let content: unknown
  try {
    content = JSON.parse(json.toString('utf8'))
  } catch {
    throw new BundleError('The `manifest.json` of the bundle is not valid JSON')
  }
  if (!Value.Check(manifest, content))
    throw new BundleError('The `manifest.json` of the bundle does not list its `files`')
  return content
}

function header(headers: Readonly<Record<string, unknown>>, name: string): string | null {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : null
}

/** Returns the key of the map that a generated file refers to. */
function sourceMapOf(url: string, headers: Readonly<Record<string, unknown>>): string | null {
  const reference = header(headers, 'sourcemap') ?? header(headers, 'x-sourcemap')
  const base = `http://host/${pathParts(url).map(encodeURIComponent).join('/')}`
  return reference !== null && URL.canParse(reference, base) ? keyOf(new URL(reference, base).href) : null
}

/** Returns the same key for all spellings of a URL, whether or not it is relative to the root. */
function keyOf(url: string): string {
  return pathParts(url).join('/')
}

/** `~` means any host. */
function withoutHost(url: string): string {
  return url.replace(/^~\/|^[a-z][\w+.-]*:\/\/[^/]*\//i, '').replace(/[?#][\s\S]*$/, '')
}
