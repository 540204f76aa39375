import type { FailureNote } from '../../../shared/failure.ts'
import { type FailureDetail, failureForms } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Ago } from '../../components/time.tsx'
import { useMayChange } from '../../page.ts'
import { useDevelopmentAction } from './form-action.ts'

/** The failure's notes, newest first, below the form that adds one. */
export function Notes({ failure: { notes, noteForm } }: { failure: FailureDetail }) {
  const mayChange = useMayChange()
  const action = useDevelopmentAction('notes')
  if (!mayChange && notes.length === 0) return null
  return (
    <div id="notes">
      <h3>Notes</h3>
      {mayChange && (
        <form className="notes-form" method="post" action={action}>
          <input type="hidden" name="form" value={failureForms.addNote} />
          <TextAreaField
            label="Add a note"
            name="text"
            rows={3}
            defaultValue={noteForm.text}
            data-saved=""
            problem={noteForm.problem ?? undefined}
            hint="Visible to users who can see all services"
          />
          <Button type="submit">Add note</Button>
        </form>
      )}
      {notes.length > 0 && (
        <ol className="notes">
          {notes.map(note => (
            <Note key={note.id} note={note} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Note({ note: { id, writtenMs, text, author } }: { note: FailureNote }) {
  const action = useDevelopmentAction('notes')
  return (
    <li>
      <p className="note-text" dir="auto">
        {plainText(text)}
      </p>
      <div className="note-footer">
        <span className="muted">
          {author !== undefined && (
            <>
              <bdi>{plainText(author)}</bdi>,{' '}
            </>
          )}
          <Ago ms={writtenMs} />
        </span>
        {useMayChange() && (
          <details>
            <summary>Delete</summary>
            <form method="post" action={action}>
              <input type="hidden" name="form" value={failureForms.removeNote} />
              <input type="hidden" name="id" value={id} />
              <Button type="submit" kind="danger">
                Delete note
              </Button>
            </form>
          </details>
        )}
      </div>
    </li>
  )
}
