import fc from 'fast-check'
import t from 'tap'
import { digestCandidates, likelyDigestIn } from './digest-candidates.ts'
import { anyCharacter } from './testing/any-character.ts'

const firstOf = (text: string) => digestCandidates(text)[0]?.digest ?? null

t.test('finds the digest in the text of a support ticket', async t => {
  for (const text of [
    '2108325524',
    '#2108325524',
    'digest=2108325524',
    'Digest: 2108325524',
    'digest 2108325524',
    'Hi, I see Digest: 2108325524 on checkout, please help',
    'Hi, I see Digest:2108325524 on checkout, please help',
    'Hi, I see digest "2108325524" on checkout, please help',
    'Error code: 2108325524.',
    'Our customer reported error number 2108325524, order 77120!',
    'ERROR 2108325524 since this morning',
    'Paying failed (#2108325524) twice',
    '{"message":"An error occurred","digest":"2108325524"}',
    '{\\"digest\\":\\"2108325524\\"}',
    'https://shop.example/error?from=cart&digest=2108325524&page=2',
    'https://shop.example/help?text=Digest%3A%202108325524%20on+checkout',
    'https://shop.example/help?text=Digest%3A+%222108325524%22',
    'Application error: a server-side exception has occurred (see the server logs for more information).\nDigest:\n2108325524\n',
    'Application error: see the server logs.Digest: 2108325524Please help',
    '> Something went wrong.\n> Digest:\n> 2108325524\n\nThis happens on every checkout.',
    '**Digest:** `2108325524`',
    'The digest is 2108325524.',
    'Checkout shows 2108325524, what does it mean?',
  ])
    t.equal(firstOf(text), '2108325524', text)
})

t.test('ignores the invisible characters that chats and spreadsheets put around copied text', async t => {
  for (const text of [
    '\u202a2108325524\u202c',
    '\u20682108325524\u2069',
    'Digest: \u200e2108325524\u200e',
    'Digest:\u202d2108325524\u202c',
    '\u2067Digest: \u20662108325524\u2069\u2069',
  ])
    t.equal(firstOf(text), '2108325524', JSON.stringify(text))
})

t.test('finds digests and ids in other formats', async t => {
  for (const [text, digest] of [
    ['I got Digest: 4163817072@E352 today', '4163817072@E352'],
    ['Sixpane showed digest a41c09be72 to her', 'a41c09be72'],
    ['Checkout shows 9f3ac41b07de now', '9f3ac41b07de'],
    ['Checkout shows A41C09BE72 now', 'A41C09BE72'],
    ['Digest: 123456a7b8c9', '123456a7b8c9'],
    ['Digest: 1234567abc', '1234567abc'],
    ['Your error id is ref-4711, thanks', 'ref-4711'],
    ['Error ID: 0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['correlationId=0f8fad5bd9cb, retry later', '0f8fad5bd9cb'],
    ['Digest: CART_FAILED', 'CART_FAILED'],
  ] as const)
    t.equal(firstOf(text), digest, text)
  t.same(
    digestCandidates('Digest: 1111111111, later Digest: 2222222222').map(({ digest }) => digest),
    ['1111111111', '2222222222'],
  )
})

t.test('finds a digest next to typographic, East Asian and other punctuation', async t => {
  for (const text of [
    'Digest: “2108325524”',
    'Digest: „2108325524“',
    'Digest: «2108325524»',
    'Digest: ‘2108325524’',
    'Digest: <2108325524>',
    'Digest：2108325524',
    'エラーが出ました。Digest：2108325524',
    'エラーが出ました。Digest「2108325524」です。',
    'エラー（Digest：2108325524）',
    'Application error… (Digest:2108325524).',
    'Application error… (digest:2108325524).',
    'エラーです。 Digest:2108325524',
    'DIGEST|2108325524',
    '| DIGEST | 2108325524 |',
    'Digest → 2108325524',
    'Digest – 2108325524',
    '“2108325524”',
    '„2108325524“',
    '「2108325524」。',
    '（2108325524）',
    '2108325524…',
  ])
    t.equal(firstOf(text), '2108325524', text)
})

t.test('finds a digest anywhere in long text', async t => {
  const filler = 'The checkout does not work for us. '.repeat(1500)
  t.equal(firstOf(`Digest: 2108325524 ${filler}`), '2108325524')
  t.equal(firstOf(`${filler} Digest: 2108325524 ${filler}`), '2108325524')
  t.equal(firstOf(`${filler} Digest: 2108325524`), '2108325524')
})

t.test('finds no digest in a search', async t => {
  for (const text of [
    '',
    '"an error 2338471 times"',
    'service:shop digest:2338471',
    'digest:2338471',
    'Digest:2338471',
    'card declined digest:2338471',
    '(digest:2338471 OR -digest:2338472)',
    'errorId:ref-4711 timeout',
    'digest status:500 2338471',
    'status:>=500 "card declined" -healthcheck',
    'card declined',
    'order 2338471',
    'GET /orders/2338471 returned 404',
    'took 2338471.5 ms in total',
    'the error code is unknown',
    'payment provider timeout digest:2338471',
    'payment provider timeout NOT digest:2338471',
    'payment provider timeout NOT(digest:2338471 OR -digest:2338472)',
    'payment provider timeout errorId:ref-4711',
    'payment provider timeout eventId:>2338471',
    'payment provider timeout message:"order #2338471, error code 2338471"',
    'message:"payment provider timeout" 2338471',
    'correlationId:"84731923"',
    'CorrelationId:"84731923"',
    'x.errorId:"84731923"',
    '"x/y.errorId":"84731923"',
    '-x-y.eventId:"say \\"84731923"',
  ])
    t.same(digestCandidates(text), [], text)
})

t.test('the likely digest is the first labelled word in the format of a digest', async t => {
  for (const [text, digest] of [
    ['2338471', '2338471'],
    ['a41c09be72', 'a41c09be72'],
    ['A41C09BE72', 'A41C09BE72'],
    ['9f3ac41b07de', '9f3ac41b07de'],
    ['Internal Server Error. Digest: 123456a7b8c9', '123456a7b8c9'],
    ['Digest: 1234567abc', '1234567abc'],
    ['Reference: ORD-1234 / Digest: 2338471', '2338471'],
    ['Digest: 2338471Please help', '2338471'],
    ['decadefacade', null],
    ['493012345678', null],
    ['9f3ac41b07def', null],
    ['Reference: ORD-1234', null],
    ['Checkout shows 9f3ac41b07de now', null],
  ] as const)
    t.equal(likelyDigestIn(text), digest, text)
})

t.test('a field name with an initial capital is a label in pasted text', async t => {
  for (const text of [
    'Error ID:2108325524',
    'The page showed Error Code:2108325524 again',
    'Paying failed. Reference:2108325524',
    'payment provider timeout digest:2338471 Digest:2108325524',
  ])
    t.equal(firstOf(text), '2108325524', text)
})

t.test('a number without a label is only a possible digest', async t => {
  t.same(digestCandidates('Checkout shows 2108325524 now'), [{ digest: '2108325524', isLabelled: false }])
})

t.test('property: never throws, and returns at most eight short words of the text', async () => {
  const parts = fc.constantFrom(
    'digest',
    ':',
    '=',
    ' ',
    '"',
    '2108325524',
    '@E352',
    'error code',
    '#',
    '\n',
    'a.b',
    '-',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.array(parts, { maxLength: 80 }).map(all => all.join('')),
      ),
      text => {
        const found = digestCandidates(text)
        return (
          found.length <= 8 &&
          found.every(({ digest }) => digest.length >= 4 && digest.length <= 100 && text.includes(digest))
        )
      },
    ),
  )
})
