import fc from 'fast-check'
import t from 'tap'
import { parsePacked } from '../../shared/packed-json.ts'
import type { Page } from '../../shared/page.ts'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { createFailures } from '../failures/failures.ts'
import { readLines } from '../ingest/ndjson/read-lines.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { fakeContext, fakeRequest } from '../testing/fake-context.ts'
import { withoutPauses } from '../testing/pauses.ts'
import { documentAround } from './document.ts'
import { preparePage } from './prepare.ts'

const { build } = fakeContext()

t.test('any text in an event survives ingest, the store, the document and hydration', async t => {
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  const context = fakeContext({ store })
  const normalise = createNormalise(createClean([]), createFailures({ build }))
  const nowMs = Date.now()

  const roundTrip = async (record: object): Promise<Page> => {
    const [line] = withoutPauses(readLines(Buffer.from(JSON.stringify(record))))
    if (line === undefined || !('record' in line)) throw new Error('The line could not be parsed')
    const [stored] = await store.append([normalise(line.record, 'ndjson', nowMs)])
    const url = `/activities?event=${stored?.id}`
    const request = fakeRequest(`event=${stored?.id}`, { nowMs })
    const prepared = await preparePage(
      { ...request, screen: 'activities', url, form: null, visitor: '127.0.0.1' },
      context,
    )
    if (prepared.kind !== 'page') throw new Error('The screen did not return a page')
    return readBlock(documentAround(prepared.page, build).tail)
  }

  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 3 }),
      async (a, b, value) => {
        const page = await roundTrip({
          msg: `m${a}`,
          name: `n${b}`,
          err: { message: `e${a}`, stack: `s${b}` },
          // One-letter names are not redacted.
          bag: [a, b, JSON.stringify(value), { x: a }],
        })
        if (page.screen !== 'activities') throw new Error('The page shows another screen')
        const { body, service, exception, attributes } = page.content.open ?? {}
        t.same(
          { body, service, exception, attributes },
          {
            body: `m${a}`.toWellFormed(),
            service: `n${b}`.toWellFormed(),
            exception: { type: 'Error', message: `e${a}`.toWellFormed(), stack: `s${b}`.toWellFormed() },
            attributes: {
              bag: [a.toWellFormed(), b.toWellFormed(), JSON.stringify(value), { x: a.toWellFormed() }],
            },
          },
        )
      },
    ),
    { numRuns: 100 },
  )
})

/** Any characters, or a sequence of those with a special meaning in HTML or JSON. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '/',
        'script',
        '>',
        '!--',
        '--',
        '&',
        ';',
        '"',
        '\\',
        '\u2028',
        '\ud800',
        '\r',
        '\0',
      ),
    )
    .map(parts => parts.join('')),
)

/**
 * Reads the hydration data as a browser would, up to the first end tag (https://html.spec.whatwg.org/#script-data-state).
 */
function readBlock(tail: string): Page {
  const [, block = ''] = /<script type="application\/json" id="page">(.*?)<\/script/is.exec(tail) ?? []
  return parsePacked(block)
}
