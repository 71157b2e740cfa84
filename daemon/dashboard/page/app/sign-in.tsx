import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ResponseError } from '../../../client/errors.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-state.tsx'
import { Checkbox, Field } from '../components/field.tsx'
import { signIn } from '../state/session.ts'
import { Logo } from './logo.tsx'

/** Asks for a token. `why` says why the last session ended. */
export function SignIn({ why }: { why: string | undefined }): JSX.Element {
  const [given, setGiven] = useState('')
  const [isKept, setKept] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    document.title = 'Sign in · Strata'
    document.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])

  async function submit(): Promise<void> {
    const entered = given.trim()
    if (isBusy || entered === '') return
    setBusy(true)
    setError(undefined)
    try {
      await signIn(entered, isKept)
    } catch (failure) {
      const isUnknown = failure instanceof ResponseError && failure.status === 401
      setError(isUnknown ? new Error('the daemon does not know this token') : failure)
      setBusy(false)
    }
  }

  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Logo size={36} />
      <h1>Sign in to Strata</h1>
      {why && <p class="error-note">{why}</p>}
      <Field
        label="Token"
        type="password"
        autocomplete="current-password"
        value={given}
        onInput={setGiven}
        isRequired
        isMono
        isFocusedFirst
        hint={
          <>
            The daemon's master token, or a token that <code>strata token create</code> made.
          </>
        }
      />
      <Checkbox
        label="Keep me signed in until this tab closes"
        hint="The token then stays in this tab's session storage. Otherwise it is forgotten when the page reloads."
        isTicked={isKept}
        onChange={setKept}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <Button tone="primary" isSubmit isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  )
}
