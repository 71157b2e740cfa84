import { signal } from '@preact/signals'
import { type BrowserClient, createBrowserClient } from '../../../client/browser.ts'
import { ConnectionError, ResponseError } from '../../../client/errors.ts'
import { reportAnswer, reportLoss } from './connection.ts'
import { token } from './token.ts'

/** The token that the daemon refused last. The session ends if it is the current one. */
export const refusedToken = signal<{ readonly token: string | undefined } | undefined>(undefined)

const client = createBrowserClient({
  token: () => token.peek(),
  onRefused: (refused) => {
    refusedToken.value = { token: refused }
  },
  fetch: (input, init) => window.fetch(input, init),
})

/** The daemon's API: the only way of the page to read or change anything. */
export const api: BrowserClient = {
  call: (...given) => observe(client.call(...given)),
  open: (...given) => observe(client.open(...given)),
  upload: (...given) => observe(client.upload(...given)),
}

/** Reports each outcome to the banner that says whether the daemon answers. */
function observe<T>(answer: Promise<T>): Promise<T> {
  answer.then(reportAnswer, (error: unknown) => {
    if (error instanceof ConnectionError) reportLoss(error.message)
    else if (error instanceof ResponseError) reportAnswer()
  })
  return answer
}
