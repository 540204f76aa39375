import t from 'tap'
import { exceptionInText } from '../exception-in-text.ts'
import { describeFrames } from '../testing.ts'

const fullMessage = `app/cart.rb:5:in \`rescue in pay': card declined (Shop::CardDeclined)
	from app/cart.rb:5:in \`pay'
	from app/cart.rb:7:in \`block (2 levels) in <main>'
app/cart.rb:4:in \`total': undefined method \`price' for nil:NilClass (NoMethodError)

  def total; nil.price; end
                ^^^^^^
	from app/cart.rb:5:in \`pay'`

t.test("parses Ruby's full messages with their causes", async t => {
  t.same(describeFrames(fullMessage), [
    'rescue in pay app/cart.rb 5',
    'pay app/cart.rb 5',
    'block(2 levels) in <main> app/cart.rb 7',
    "total app/cart.rb 4 Caused by: NoMethodError: undefined method `price' for nil:NilClass",
    'pay app/cart.rb 5',
  ])
  t.same(describeFrames("<internal:kernel>:187:in `loop'\nC:/shop/cart.rb:1:in 'Cart#pay'"), [
    'loop <internal:kernel> 187',
    'Cart#pay C:/shop/cart.rb 1',
  ])
})

t.test('finds Ruby exceptions in messages', async t => {
  const type = 'Shop::CardDeclined'
  const trace = "app/cart.rb:5:in 'Cart#pay'\napp/cart.rb:7:in '<main>'"
  const logged = 'E, [2026-11-26T13:37:08.254170 #42] ERROR -- shop: '
  for (const [text, summary] of [
    [fullMessage, `card declined (${type})`],
    [`payment failed: ${fullMessage}`, `payment failed: card declined (${type})`],
    [`${logged}card declined (${type})\n${trace}`, `${logged}card declined (${type})`],
    [`${type}: card declined\n${trace}`, `${type}: card declined`],
    [`\n${type} (card declined):\n  \n${trace}`, `${type} (card declined):`],
  ] as const)
    t.match(exceptionInText(text), { exception: { type, message: 'card declined' }, summary }, text)
  t.match(exceptionInText(`card\ndeclined (${type})\n${trace}`)?.exception.message, 'card\ndeclined')
  t.equal(exceptionInText('see app/cart.rb:5\nand app/cart.rb:7'), null)
})

t.test('reads errors in Rails views, with and without the function compiled from the view', async t => {
  const error = "undefined method 'total' for nil"
  const excerpt = '    1: <p>\n    2: <%= cart.total (x) %>\n  '
  const views = ['app/views/carts/show.html.erb:2', '/app/app/views/carts/show.json.jbuilder:1']
  const type = 'ActionView::Template::Error'
  const cause = `NoMethodError (${error})`
  const simple = `${type} (${error}):`
  const withCause = `${type} (${error})\nCaused by: ${cause}\n\nInformation for: ${simple}`
  for (const head of [simple, withCause, `Information for: ${simple}`]) {
    const text = `  \n${head}\n${excerpt}\n${views.join('\n')}`
    t.match(exceptionInText(text), { exception: { type, message: error }, summary: head }, head)
    t.same(describeFrames(text), [
      ' app/views/carts/show.html.erb 2',
      ' /app/app/views/carts/show.json.jbuilder 1',
    ])
  }
  const compiled = '_app_views_carts_show_html_erb___3203948203948_12340'
  const raw = `${views[0]}:in '${compiled}': ${error} (${type})\n\tfrom ${views[1]}:in \`block in ${compiled}'`
  t.match(exceptionInText(raw)?.exception, { type, message: error })
  t.same(describeFrames(raw), [
    ' app/views/carts/show.html.erb 2',
    ' /app/app/views/carts/show.json.jbuilder 1',
  ])
  t.equal(exceptionInText(`see\n${views[0]}`), null)
})

t.test('ignores the tags of a Rails request', async t => {
  const type = 'ActionView::Template::Error'
  const logger = 'F, [2026-11-26T13:37:08.254170 #42] FATAL -- : '
  const tags = '[6f1d2c3b-0a4e] [admin] '
  const error = `${type} (no\nprice):`
  const place = [
    '    1: <%= cart.price %>',
    '  ',
    'app/views/show.html.erb:1',
    "app/cart.rb:5:in 'Cart#total'",
  ]
  const tagged = place.map(line => `${tags}${line}`)
  const cause = `${tags}${type} (no price)\n${tags}Caused by: KeyError (no price)\n${tags}\nInformation for: `
  for (const [head, summary] of [
    [`${logger}${tags}  \n${tags}${error}`, `${logger}${tags}  \n${error}`],
    [`${tags}  \n${tags}${error}`, error],
    [`Information for: ${error}`, `Information for: ${error}`],
    [`${cause}${error}`, `${type} (no price)\nCaused by: KeyError (no price)\n\nInformation for: ${error}`],
  ] as const) {
    const text = [head, ...tagged].join('\n')
    t.same(exceptionInText(text), { exception: { type, message: 'no\nprice', stack: text }, summary }, head)
    t.same(describeFrames(text), [' app/views/show.html.erb 1', 'Cart#total app/cart.rb 5'])
  }
  const text = `E, [2026-11-26T13:37:08.254170 #42] ERROR -- : ${tags}${fullMessage}`
  t.match(exceptionInText(text)?.exception, { type: 'Shop::CardDeclined', message: 'card declined' })
  t.same(describeFrames(text), describeFrames(fullMessage))
})

t.test('reads an error with one frame', async t => {
  for (const text of ["a.rb:1:in '<main>': no cart (NoCart)", "a.rb:1:in `<main>': no cart (NoCart)"]) {
    t.match(exceptionInText(text)?.exception, { type: 'NoCart', message: 'no cart', stack: text })
  }
  t.equal(exceptionInText("a.rb:1:in 'pay'"), null)
})
