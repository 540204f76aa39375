import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { isSecretName, redactedNames, redactText } from './redact.ts'

const spellings: readonly ((words: string[]) => string)[] = [
  words => words.join('-'),
  words => words.join('_'),
  words => words.join('_').toUpperCase(),
  words => words.join(''),
  words => words.join('').toUpperCase(),
  words => words.map(capital).join(''),
  words => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  words => words.map(capital).join('-'),
]

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

t.test('recognises every secret name in every case style, with or without a trailing number', async t => {
  for (const name of redactedNames) {
    for (const spell of spellings) {
      const spelled = spell(name.split(' '))
      t.ok(isSecretName(spelled), spelled)
      t.ok(isSecretName(`${spelled}2`), `${spelled}2`)
    }
  }
})

t.test('the last words of a field name determine whether the field is secret', async t => {
  for (const name of [
    'DB_PASSWORD',
    'x-api-key',
    'userAccessToken',
    'stripe.clientSecret',
    'APIKey',
    'X-CSRF-Token',
    'PGPASSWORD',
    'dbpassword',
    'user[new_password]',
  ])
    t.ok(isSecretName(name), name)
  const harmless = [
    'tokens_used',
    'maxTokens',
    'token_type',
    'author',
    'authorizationUrl',
    'secretary',
    'cookieBanner',
    'key',
    'apiKeyId',
    'session',
    'passwordless',
    'description',
    '',
    '—',
  ]
  for (const name of harmless) t.notOk(isSecretName(name), name)
})

t.test('redacts secrets in text and leaves the rest unchanged', async t => {
  const texts: [string, string][] = [
    ['Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['sent Bearer abc.def-123 to it', 'sent Bearer [redacted] to it'],
    ['sent Basic dXNlcjpwYXNz= to it', 'sent Basic [redacted] to it'],
    ['Cookie: a=1; b=2\nAccept: */*', 'Cookie: [redacted]\nAccept: */*'],
    ['Authorization:Basic dXNlcjpwYXNz', 'Authorization:[redacted]'],
    ['Set-Cookie:sid=abc; Path=/\nAge:1', 'Set-Cookie:[redacted]\nAge:1'],
    ['curl -H X-Api-Key:hunter2 host', 'curl -H X-Api-Key:[redacted] host'],
    ['{token:hunter2,n:1}', '{token:[redacted],n:1}'],
    [
      'GET /in?next=%2Fa%3Ftoken%3Dhunter2%2B%26b%3D1&c=d',
      'GET /in?next=%2Fa%3Ftoken%3D[redacted]%26b%3D1&c=d',
    ],
    ['next%3d%252Fa%253Fpassword%253Dhunter2%2526b', 'next%3d%252Fa%253Fpassword%253D[redacted]%2526b'],
    ['?to=https%3A%2F%2Feve%3Ahunter2%40host%2F', '?to=https%3A%2F%2F[redacted]%40host%2F'],
    ['postgres%3a%2f%2feve%3ap%40hunter2%40db', 'postgres%3a%2f%2f[redacted]%40db'],
    ['<user>eve</user><password>two hunter2</password>', '<user>eve</user><password>[redacted]</password>'],
    [
      '<wsse:Password Type="a#Text">hunter2</wsse:Password><n>1</n>',
      '<wsse:Password Type="a#Text">[redacted]</wsse:Password><n>1</n>',
    ],
    ['<apiKey><![CDATA[hunter2]]></apiKey>', '<apiKey><![CDATA[[redacted]]]></apiKey>'],
    ['{"xml":"<token>hunter2<\\/token>"}', '{"xml":"<token>[redacted]<\\/token>"}'],
    ['postgres://shop:hunter2@db:5432/shop', 'postgres://[redacted]@db:5432/shop'],
    ['postgres://shop:p@ss@db:5432/a@b', 'postgres://[redacted]@db:5432/a@b'],
    ['git clone https://ghp_hunter2@example.org/x', 'git clone https://[redacted]@example.org/x'],
    ['GET /in?user=eve&password=hunter2&next=/', 'GET /in?user=eve&password=[redacted]&next=/'],
    ['GET /in?accessToken=hunter2', 'GET /in?accessToken=[redacted]'],
    ['user[name]=eve&user[new_password]=hunter2&n=1', 'user[name]=eve&user[new_password]=[redacted]&n=1'],
    [
      '?user%5Bpassword%5D=hunter2&a[token][]=hunter2',
      '?user%5Bpassword%5D=[redacted]&a[token][]=[redacted]',
    ],
    ['next=%2Fa%3Fu%255Bpassword%255D%3Dhunter2%26b', 'next=%2Fa%3Fu%255Bpassword%255D%3D[redacted]%26b'],
    ['{"user":"eve","password":"hunter2","n":1}', '{"user":"eve","password":"[redacted]","n":1}'],
    ['{"pin":1,"card_number":4111111111111111}', '{"pin":1,"card_number":"[redacted]"}'],
    ['"{\\"token\\":\\"hunter2\\",\\"n\\":1}"', '"{\\"token\\":\\"[redacted]\\",\\"n\\":1}"'],
    ["{ user: 'eve', password: 'hunter2' }", "{ user: 'eve', password: '[redacted]' }"],
    ['password="two hunter2 words" kept', 'password="[redacted]" kept'],
    ['{:password=>"hunter2", "user"=>"eve"}', '{:password=>"[redacted]", "user"=>"eve"}'],
    ["'password' => 'hunter2',\n'cvc' => 123,", "'password' => '[redacted]',\n'cvc' => '[redacted]',"],
    ['[password] => two hunter2 words\n[user] => eve', '[password] => [redacted]\n[user] => eve'],
    ['{authorization=Bearer hunter2, host=a}', '{authorization=[redacted], host=a}'],
    ['{Authorization=[Basic hunter2=], Host=[a]}', '{Authorization=[redacted], Host=[a]}'],
    [
      "{ 'set-cookie': [\n    'a=1',\n    \"b='2'\"\n ], age: '1' }",
      "{ 'set-cookie': [\n    '[redacted]'\n ], age: '1' }",
    ],
    ["authorization: [ 'Digest hunter2' ]", "authorization: [ '[redacted]' ]"],
    ['{"password":["]hunter2", "b"],"n":["a"]}', '{"password":["[redacted]"],"n":["a"]}'],
    ['"{\\"token\\":[\\"hunter2\\",\\"b\\"],\\"n\\":1}"', '"{\\"token\\":[\\"[redacted]\\"],\\"n\\":1}"'],
    ["password: [ 'a b', 12345, 'hunter2', 1 ], n: 1", "password: [ '[redacted]' ], n: 1"],
    ['{"password":[null, -1.5, "a", null, "hunter2"]}', '{"password":["[redacted]"]}'],
    ["cookie: [ 'a=1', ... 3 more items ]", "cookie: [ '[redacted]', ... 3 more items ]"],
    ['"{\\"token\\":[\\"a\\",null,\\"hunter2\\"]}"', '"{\\"token\\":[\\"[redacted]\\"]}"'],
    ['cookie=a=b&c; sid=hunter2 host=a', 'cookie=[redacted] host=a'],
    ['{"password":"x\\"hunter2","n":1}', '{"password":"[redacted]","n":1}'],
    ['DB_PASSWORD = hunter2', 'DB_PASSWORD = [redacted]'],
    ['curl -H "X-Api-Key: hunter2" host', 'curl -H "X-Api-Key: [redacted]" host'],
    ['was eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'was [redacted]'],
    [`used sxp_${'a1B2'.repeat(8)}.`, 'used [redacted].'],
    [
      `ghp_${'a1'.repeat(18)} npm_${'a1'.repeat(18)} AKIA${'A1'.repeat(8)}`,
      '[redacted] [redacted] [redacted]',
    ],
    [`github_pat_${'a1'.repeat(11)}_${'a1'.repeat(29)} ghr_${'a1'.repeat(38)}`, '[redacted] [redacted]'],
    [`xapp-1-A0${'a1'.repeat(30)} xoxe-1-${'a1'.repeat(40)}`, '[redacted] [redacted]'],
    [`rk_live_${'a1'.repeat(12)}`, '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY----- end', '[redacted] end'],
  ]
  for (const [text, expected] of texts) t.equal(redactText(text), expected)
})

t.test('redacts the value of every secret name in the notations of several languages', async t => {
  const notations: readonly ((name: string) => string)[] = [
    name => `${name}=hunter2`,
    name => `${name}="hunter2"`,
    name => `${name}=Bearer hunter2`,
    name => `{${name}=[hunter2, hunter2]}`,
    name => `{"${name}":"hunter2"}`,
    name => `{"${name}":["hunter2","hunter2"]}`,
    name => `{ '${name}': [ 'hunter2', 'hunter2' ] }`,
    name => `{:${name}=>"hunter2"}`,
    name => `{"${name}"=>"hunter2"}`,
    name => `'${name}' => 'hunter2',`,
    name => `    [${name}] => hunter2`,
  ]
  const texts = redactedNames.flatMap(name =>
    spellings.flatMap(spell => notations.map(notation => notation(spell(name.split(' '))))),
  )
  t.strictSame(
    texts.filter(text => redactText(text).includes('hunter2')),
    [],
  )
})

t.test('leaves text without secrets unchanged', async t => {
  const texts = [
    'Basic authentication failed',
    'npm_config_registry is set, AKIAN has 3 items',
    'pod xapp-traffic-steering-7d8f9c6b5 started',
    'Invalid password: too short',
    'at token:12:3, at f (token:1234:56)',
    'tower::Cookie::parse2 failed, see secret://vault2',
    'missing scope secrets:write, password:required, authorization:denied to eve',
    '?to=https%3A%2F%2Fhost%2Feve%40mail.example&from=eve%40mail.example',
    'password => required, token => token.id, ([id, token]) => token',
    'pairs.map(([name, token]): [string, Token] => {',
    'authorization=[redacted] realm="api"',
    'const [user, token] = useToken(), [a,token]=b()',
    '<password/><b>kept</b>, <token></token>, Map<string, Token> of <b>1</b>',
    'https://example.org/a@b?c=d',
    'mail to eve@example.org',
    'used 12 tokens, token_count=12',
    'at Cart.add (file:///app/cart.js:1:2)',
    '',
  ]
  for (const text of texts) t.equal(redactText(text), text)
})

t.test('property: redacting text is idempotent', async () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      'password',
      'token=',
      '"secret":"',
      "'",
      '"',
      'Bearer ',
      '://',
      '@',
      'Cookie: ',
      'cookie:',
      'a=1',
      'token%3D',
      '%26',
      '%3A%2F%2F',
      '%40',
      'cookie=',
      '=>',
      '[',
      ']',
      ', ',
      'eyJ',
      '\\',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const once = redactText(pieces.join(''))
      return redactText(once) === once
    }),
  )
})

t.test('property: secrets in queries, headers, URLs and JSON are redacted', async () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/).map(text => `S3${text}`)
  const around = fc.stringMatching(/^[A-Za-z0-9 .,/]{0,40}$/)
  const plant: readonly ((value: string) => string)[] = [
    value => `?password=${value}`,
    value => `&refresh_token=${value}&a=b`,
    value => `Authorization: Bearer ${value}`,
    value => `Authorization:Basic ${value}`,
    value => `X-Api-Key:${value}`,
    value => `?next=%2Fa%3Ftoken%3D${value}%26b`,
    value => `?to=https%3A%2F%2Fuser%3A${value}%40host%2F`,
    value => `Basic ${value}`,
    value => ` https://user:${value}@host/`,
    value => ` https://user:p@${value}@host/`,
    value => JSON.stringify({ apiKey: value, a: 1 }),
    value => JSON.stringify(JSON.stringify({ a: { client_secret: value } })),
  ]
  fc.assert(
    fc.property(secret, around, around, fc.constantFrom(...plant), (value, before, after, planted) => {
      return !redactText(`${before} ${planted(value)} ${after}`).includes(value)
    }),
  )
})

t.test(
  'property: redacts a secret with quotes and backslashes completely, in up to four levels of JSON',
  async () => {
    const secret = fc.string({ unit: fc.constantFrom('"', '\\', '\n', "'", 'a') }).map(text => `S3${text}S3`)
    fc.assert(
      fc.property(secret, fc.integer({ min: 1, max: 4 }), (value, times) => {
        let text = JSON.stringify({ id: 1, userPassword: value, after: 'kept' })
        for (let each = 1; each < times; each += 1) text = JSON.stringify({ text })
        const left = redactText(text)
        return !left.includes('S3') && left.includes('kept')
      }),
    )
  },
)

t.test('does not hang on text that is designed to cause backtracking', async t => {
  const size = 64 * 1024
  const pieces = [
    'a',
    'a-',
    'a.',
    'password',
    'password:',
    'password="',
    'password\\":\\"\\',
    'password\\\\\\":\\\\\\"',
  ]
  pieces.push(
    '\\',
    ' ',
    '://',
    'a://b:',
    '://a@',
    'a@',
    'eyJ-',
    'eyJaaaaaaaaa.',
    'basic a',
    'bearer ',
    'cookie: ',
    'token: ',
    'api_',
  )
  pieces.push(
    'token=[',
    'token:["',
    "token=>['a', ",
    'token:[1, ',
    "1, 'a', ",
    '1\\",\\"',
    'token=bearer ',
    'cookie=',
    'cookie=a=; ',
    'token] => ',
    '", "',
  )
  pieces.push('authorization:', 'cookie:a', 'cookie:a=', 'token:', 'token:a', 'token:1', '1:')
  pieces.push('token%3D', '%2526', '%253D', '%3A%2F%2F', '%3A%2F%2Fa', 'a%40')
  pieces.push('<token>', '<token a', '<token><![CDATA[', '</token>', 'token a>b')
  pieces.push('a[', 'a[token', 'a[token]', 'a[token][]', 'token%5D', 'token%255D%255B')
  pieces.push('token: aaaa ', '-----BEGIN PRIVATE KEY-----', '"token":1.')
  for (const piece of pieces) {
    const long = piece.repeat(Math.ceil(size / piece.length))
    t.type(redactText(`token=x ${long}`), 'string', piece)
    t.type(redactText(`"token\\":\\"${long}`), 'string', piece)
    t.type(redactText(`"token":"${long}`), 'string', piece)
    t.type(redactText(`"token":["a", "${long}`), 'string', piece)
    t.type(redactText(`token: aaaa${long}x`), 'string', piece)
  }
})
