import t from 'tap'
import { ChoiceField, SelectField, TextField } from './field.tsx'
import { render } from './testing.tsx'

const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
]
const fields = { TextField, SelectField, ChoiceField }

for (const [name, Field] of Object.entries(fields)) {
  t.test(`${name} is described by its hint and problem`, async t => {
    const html = render(
      <Field label="Zone" name="zone" defaultValue="b" options={options} hint="A hint" problem="A problem" />,
    )
    const described = /aria-describedby="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? []
    t.equal(described.length, 2)
    const descriptions = described.map(
      id => new RegExp(`id="${id}"[^>]*>(?:<i[^>]*></i>)?([^<]*)`).exec(html)?.[1],
    )
    t.same(descriptions, ['A problem', 'A hint'])
  })

  t.test(`${name} without a hint or problem has no description`, async t => {
    const html = render(<Field label="Zone" name="zone" options={options} />)
    t.notMatch(html, 'aria-describedby')
    t.notMatch(html, 'aria-invalid')
  })
}

t.test('a text field with a problem has a label and is marked as invalid', async t => {
  const html = render(<TextField label="Zone" name="zone" problem="Unknown" />)
  t.match(html, 'aria-invalid="true"')
  t.equal(/<label for="([^"]*)"/.exec(html)?.[1], /<input[^>]* id="([^"]*)"/.exec(html)?.[1])
})

t.test('the server-rendered HTML selects the default choice', async t => {
  const html = render(<ChoiceField label="Zone" name="zone" defaultValue="b" options={options} />)
  t.match(
    html,
    /<input type="radio" name="zone" checked="" value="b"\/>|<input type="radio" name="zone" value="b" checked=""\/>/,
  )
  t.equal(html.split('checked').length, 2)
})
