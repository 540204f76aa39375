import { formatBytes, formatInstant } from '../../../shared/format.ts'
import type { BuildContent, DevelopmentBuild } from '../../../shared/screens/development.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Section } from '../../components/section.tsx'
import { usePage } from '../../page.ts'

/** The running build: versions, browser files and libraries. */
export function Build({ content: { build } }: { content: DevelopmentBuild }) {
  const { preferences } = usePage()
  return (
    <Section title="Build" id="build">
      <dl className="development-versions">
        <Fact name="Sixpane" value={build.version} />
        <Fact name="Build" value={build.build} />
        <Fact name="Built" value={formatInstant(build.builtAtMs, preferences)} />
        <Fact name="Node" value={build.node} />
      </dl>
      <details className="build-details">
        <summary>
          {build.chunks.length} browser files, {build.dependencies.length} libraries
        </summary>
        <div className="development-tables">
          <Chunks chunks={build.chunks} />
          <Dependencies dependencies={build.dependencies} />
        </div>
      </details>
    </Section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{value}</dd>
    </div>
  )
}

function Chunks({ chunks }: Pick<BuildContent, 'chunks'>) {
  const sum = (size: 'rawBytes' | 'gzipBytes' | 'brotliBytes') =>
    formatBytes(chunks.reduce((total, chunk) => total + chunk[size], 0))
  return (
    <div>
      <h3>Browser files</h3>
      <ScrollArea label="Chunks and their sizes">
        <table>
          <caption className="visually-hidden">Chunks and their sizes</caption>
          <thead>
            <tr>
              <th scope="col">Chunk</th>
              {['Raw', 'gzip', 'brotli'].map(name => (
                <th key={name} scope="col" className="num">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chunks.map(({ name, rawBytes, gzipBytes, brotliBytes }) => (
              <tr key={name}>
                <th scope="row" className="mono">
                  {name}
                </th>
                <td className="num">{formatBytes(rawBytes)}</td>
                <td className="num">{formatBytes(gzipBytes)}</td>
                <td className="num">{formatBytes(brotliBytes)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td className="num">{sum('rawBytes')}</td>
              <td className="num">{sum('gzipBytes')}</td>
              <td className="num">{sum('brotliBytes')}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollArea>
    </div>
  )
}

function Dependencies({ dependencies }: Pick<BuildContent, 'dependencies'>) {
  return (
    <div>
      <h3>Libraries</h3>
      <table>
        <caption className="visually-hidden">Libraries and their versions</caption>
        <thead>
          <tr>
            <th scope="col">Library</th>
            <th scope="col">Version</th>
          </tr>
        </thead>
        <tbody>
          {dependencies.map(({ name, version }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="mono">{version}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
