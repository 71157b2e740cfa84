import { signal } from '@preact/signals'

const key = 'strata-token'

/** The token that calls send. It lives in memory; session storage keeps it only on request. No cookie holds it. */
export const token = signal<string | undefined>(readKept())

/** Sends `value` from now on. `isKept` keeps it in session storage until the tab closes. */
export function sendToken(value: string, isKept: boolean): void {
  token.value = value
  try {
    if (isKept) sessionStorage.setItem(key, value)
    else sessionStorage.removeItem(key)
  } catch {
    // The browser forbids storage: the token lasts until the page closes.
  }
}

export function forgetToken(): void {
  token.value = undefined
  try {
    sessionStorage.removeItem(key)
  } catch {
    // The browser forbids storage: it holds no token.
  }
}

function readKept(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}
