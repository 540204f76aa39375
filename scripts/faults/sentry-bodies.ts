import type { LargeBody } from './line-bodies.ts'

/** Returns Sentry request bodies of `sizeBytes`, in the forms that take longest to process. */
export function sentryBodies(sizeBytes: number): LargeBody[] {
  const frames = Array.from({ length: 50 }, (_, index) => ({
    function: `step${index}`,
    filename: `/app/src/file${index}.js`,
    lineno: 10,
    colno: 5,
    context_line: '  return total',
    pre_context: ['function total() {'],
    post_context: ['}'],
  }))
  const event = (index: number) =>
    item('event', {
      event_id: String(index).padStart(32, '0'),
      platform: 'node',
      exception: { values: [{ type: 'Error', value: `failure ${index}`, stacktrace: { frames } }] },
      breadcrumbs: Array.from({ length: 100 }, () => ({ message: 'loaded', category: 'cart' })),
    })
  const log = (index: number) =>
    `{"timestamp":${Date.now() / 1000},"level":"info","body":"line ${index} ${'x'.repeat(50)}","attributes":{"sku":{"value":"A1","type":"string"}}}`
  const spans = `[${repeat('{"op":"db","data":{"a":[1,2,3]}}', sizeBytes, ',')}]`
  return [
    envelope('events', fill(event, sizeBytes)),
    envelope('logs', list('log', fill(log, sizeBytes, ','))),
    envelope('lists of {}', list('log', repeat('{}', sizeBytes, ','))),
    envelope('empty items', repeat('{"type":"session"}\n{}', sizeBytes)),
    envelope('unknown items', repeat('{"type":"x"}\n', sizeBytes)),
    envelope('one transaction', `{"type":"transaction"}\n{"contexts":{},"spans":${spans}}`),
    envelope('one replay', `{"type":"replay_recording","length":${sizeBytes}}\n${'\n'.repeat(sizeBytes)}`),
    envelope('empty lines', '\n'.repeat(sizeBytes)),
    envelope('an event that is nested too deeply', `{"type":"event"}\n{"extra":${'['.repeat(sizeBytes)}}`),
    {
      name: 'Sentry event with a 1 MB message and many fields',
      path: '/loop/api/1/store/',
      body: Buffer.from(
        `{"message":"${'password='.repeat(110_000)}",${repeat('"tags":{"a":1}', sizeBytes, ',')}}`,
      ),
    },
  ]
}

function envelope(name: string, items: string): LargeBody {
  return {
    name: `Sentry envelope with ${name}`,
    path: '/loop/api/1/envelope/',
    body: Buffer.from(`{}\n${items}`),
  }
}

function item(type: string, payload: object): string {
  return `{"type":"${type}"}\n${JSON.stringify(payload)}`
}

function list(type: string, elements: string): string {
  return `{"type":"${type}","content_type":"application/vnd.sentry.items.${type}+json"}\n{"version":2,"items":[${elements}]}`
}

function fill(one: (index: number) => string, sizeBytes: number, separator = '\n'): string {
  return Array.from({ length: Math.floor(sizeBytes / (one(0).length + 1)) }, (_, index) => one(index)).join(
    separator,
  )
}

function repeat(text: string, sizeBytes: number, separator = '\n'): string {
  return (text + separator).repeat(Math.floor(sizeBytes / (text.length + 1))).slice(0, -1)
}
