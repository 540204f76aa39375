import { paths } from '../../../shared/paths.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'

/** The first step of who has only just started: one line to see an event arrive, a few to connect a service. */
export function Connect({ ingestUrl, passwordAsked }: { ingestUrl: string; passwordAsked: boolean }) {
  return (
    <Section title="Connect the first service" id="connect">
      <p className="prose">
        So far these are Sixpane’s own events. Send one from a terminal, then look at{' '}
        <a href={paths.activities({ q: 'service:hello', range: { span: '15m' } })}>what arrived</a>:
      </p>
      <CodeBlock label="One event" language="sh" code={curlLine(ingestUrl, passwordAsked)} />
      <p className="prose">A Node service that logs with pino sends its lines like this:</p>
      <CodeBlock label="A service with pino" language="js" code={pinoLines(ingestUrl, passwordAsked)} />
      <p>
        <a href={`${paths.development()}#connect`}>All ways to connect a service</a>
      </p>
    </Section>
  )
}

function curlLine(ingestUrl: string, passwordAsked: boolean): string {
  const user = passwordAsked ? ' -u "sixpane:$SIXPANE_PASSWORD"' : ''
  return `curl${user} ${ingestUrl} -H 'content-type: application/x-ndjson' -d '{"level":30,"name":"hello","msg":"a first line"}'`
}

function pinoLines(ingestUrl: string, passwordAsked: boolean): string {
  const type = "'content-type': 'application/x-ndjson'"
  const password = "authorization: 'Basic ' + btoa('sixpane:' + process.env.SIXPANE_PASSWORD)"
  return `const headers = ${passwordAsked ? `{\n  ${type},\n  ${password},\n}` : `{ ${type} }`}
const sixpane = {
  write: body => fetch('${ingestUrl}', { method: 'POST', headers, body }).catch(() => {}),
}
const streams = [{ stream: process.stdout }, { stream: sixpane }]
const logger = pino({ name: 'my-service' }, pino.multistream(streams))`
}
