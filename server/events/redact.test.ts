import fc from 'fast-check'
import t from 'tap'
import { isSecretName, redacted, redactText } from './redact.ts'

t.test('a name is secret by its end, in any spelling', async t => {
  const secret = [
    'password',
    'DB_PASSWORD',
    'DBPassword',
    'dbpassword',
    'password2',
    'passwordHash',
    'accessToken',
    'access_token',
    'JWTToken',
    'x-api-key',
    'X-Api-Key',
    'APIKey',
    'apikey',
    'proxy-authorization',
    'set-cookie',
    'session.id',
    'clientSecret',
    'aws secret access key',
    'cardNumber',
  ]
  for (const name of secret) t.ok(isSecretName(name), name)
  const open = ['tokens_used', 'tokens', 'token_count', 'author', 'secretary', 'cookieConsent', 'key', 'id', '']
  for (const name of open) t.notOk(isSecretName(name), name)
})

t.test('secrets are taken out of texts', async t => {
  const texts: [string, string][] = [
    ['Bearer SECRET99', 'Bearer [redacted]'],
    ['sent authorization: Basic SECRET99==\nnext', 'sent authorization: [redacted]\nnext'],
    ['Cookie: sid=SECRET99; theme=dark', 'Cookie: [redacted]'],
    ['GET /cb?code=1&accessToken=SECRET99&x=2', 'GET /cb?code=1&accessToken=[redacted]&x=2'],
    ['client_secret=SECRET99', 'client_secret=[redacted]'],
    ['DB_PASSWORD = SECRET99', 'DB_PASSWORD = [redacted]'],
    ['password="two SECRET99 words"', 'password="[redacted]"'],
    ['postgres://app:SECRET99@db:5432/shop', 'postgres://[redacted]@db:5432/shop'],
    ['https://u:p@SECRET99@host/x', 'https://[redacted]@host/x'],
    ['https://SECRET99@github.com/a', 'https://[redacted]@github.com/a'],
    ['body {"user":"a","password":"x\\"SECRET99"}', 'body {"user":"a","password":"[redacted]"}'],
    ['{"apiKey" : "SECRET99"}', '{"apiKey" : "[redacted]"}'],
    ['{"cvc":990099}', '{"cvc":"[redacted]"}'],
    ["{ user: 'a', dbPassword: 'it\\'s SECRET99' }", "{ user: 'a', dbPassword: '[redacted]' }"],
    ['curl -H "X-Api-Key: SECRET99" host', 'curl -H "X-Api-Key: SECRET99" host'],
    ['the password: SECRET99', 'the password: [redacted]'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.SECRET99 expired', '[redacted] expired'],
  ]
  for (const [text, expected] of texts) t.equal(redactText(text), expected, text)
})

t.test('a secret in JSON is found at any depth of escaping', async t => {
  const strings = fc.string({ unit: 'binary-ascii', minLength: 4 }).map(each => `SECRET${each}99SECRET`)
  await fc.assert(
    fc.asyncProperty(strings, fc.integer({ min: 1, max: 3 }), async (secret, depth) => {
      let text = JSON.stringify({ id: 1, userPassword: secret, after: 'kept' })
      for (let each = 1; each < depth; each += 1) text = JSON.stringify({ text })
      const result = redactText(text)
      return !result.includes('SECRET') && result.includes(redacted) && result.includes('kept')
    }),
  )
})

t.test('ordinary sentences stay as they are', async t => {
  const sentences = [
    'Unexpected token < in JSON at position 0',
    'Invalid password: must have at least 8 characters',
    'tokens_used: 1234',
    'see https://example.org/a?author=me@example.org',
    'The author of the cookie recipe',
  ]
  for (const text of sentences) t.equal(redactText(text), text)
})

t.test('what is redacted stays as it is when it is redacted again', async t => {
  const pieces = fc.constantFrom('password', 'token', ' ', '=', ':', '"', "'", '\\', 'Bearer ', '://', '@', 'abcdef')
  const text = fc.array(pieces, { maxLength: 30 }).map(each => each.join(''))
  fc.assert(
    fc.property(text, each => {
      redactText(redactText(each))
    }),
  )
})

t.test('no text makes it hang', async t => {
  const size = 64 * 1024
  const bits = [
    'a',
    'a-',
    'a.',
    'password',
    'password:',
    'password="',
    'password=" ',
    '"password\\',
    'password\\":\\"\\',
    '\\',
    '://',
    'a://b:',
    'eyJ',
    'eyJ-',
    'eyJaaaaaa.',
    'bearer ',
    'cookie:',
    'cookie:\t',
    'token: ',
    'token: aaaa ',
    'api key_',
  ]
  for (const bit of bits) {
    const text = redactText(bit.repeat(Math.ceil(size / bit.length)))
    t.type(text, 'string', bit)
    t.type(redactText(`password":"${'\\'.repeat(size)}${bit}`), 'string')
  }
})
