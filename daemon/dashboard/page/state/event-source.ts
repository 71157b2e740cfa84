import { effect } from '@preact/signals'
import { chunksOf } from '../../../client/browser.ts'
import { ConnectionError } from '../../../client/errors.ts'
import { followEvents, type OpenEvents } from '../../../client/follow-events.ts'
import { api } from './api.ts'
import { type Connection, connection, reportAnswer, reportLoss } from './connection.ts'
import { topicsOf } from './event-topics.ts'
import type { Changes, LiveSource, Topic } from './live.ts'
import { inOneTab } from './one-tab.ts'
import { session } from './session.ts'
import { token } from './token.ts'

/** Messages of the tab with the connection to the others. */
type News =
  | { readonly kind: 'changes'; readonly id: string; readonly changes: Changes }
  | { readonly kind: 'connection'; readonly connection: Connection }

/**
 * Reports changes from the event stream of the daemon while a person is signed in. The tabs of a browser share one
 * connection. A connection that broke resumes after the last event. A page in the background gives it up after a minute,
 * and catches up when it is visible again. Values without events, such as the use of memory, change by a timer.
 */
export const eventSource: LiveSource = (report) => {
  const reports = createThrottle(report)
  let lastId: string | undefined
  let current: { readonly token: string | undefined; readonly over: AbortController } | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  function stop(): void {
    current?.over.abort()
    current = undefined
  }

  function start(): void {
    if (current || session.peek().kind !== 'signed-in') return
    // Without locks, each tab has a connection of its own: only while it is visible.
    if (!navigator.locks && document.visibilityState !== 'visible') return
    const over = new AbortController()
    current = { token: token.peek(), over }
    void follow(over.signal)
  }

  async function follow(signal: AbortSignal): Promise<void> {
    try {
      const name = await nameOfStream(token.peek())
      await inOneTab<News>(name, signal, {
        lead: (tell) => lead(signal, tell),
        join: () => reports.add('all'),
        receive,
      })
    } catch {
      // `api` has reported the refusal: the session has ended, or its next call says why.
      if (!signal.aborted) retry()
    }
  }

  async function lead(signal: AbortSignal, tell: (news: News) => void): Promise<void> {
    const options = {
      signal,
      maxSilenceMs: Number.POSITIVE_INFINITY,
      ...(lastId !== undefined && { afterId: lastId }),
    }
    let isNew = lastId === undefined
    const endTelling = effect(() => tell({ kind: 'connection', connection: connection.value }))
    try {
      for await (const event of followEvents(openFromBrowser(signal), options)) {
        const isAll = event.event === 'reset' || (event.event === 'ready' && isNew)
        const changes = isAll ? 'all' : topicsOf(event)
        isNew = false
        const news: News = { kind: 'changes', id: event.id, changes }
        tell(news)
        receive(news)
      }
    } finally {
      endTelling()
    }
  }

  function receive(news: News): void {
    if (news.kind === 'connection') {
      connection.value = news.connection
      return
    }
    lastId = news.id
    reports.add(news.changes)
  }

  /** A first connection that fails throws: try again later, as long as the session lasts. */
  function retry(): void {
    stop()
    setTimeout(start, retryMs)
  }

  function showOrHide(): void {
    clearTimeout(hiding)
    if (document.visibilityState === 'visible') {
      // The tab that has the connection by now does not repeat what this tab has missed.
      reports.add(current ? timedTopics : 'all')
      start()
    } else {
      hiding = setTimeout(stop, hiddenMs)
    }
  }

  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && current) reports.add(timedTopics)
  }, timedMs)
  document.addEventListener('visibilitychange', showOrHide)
  const endWatch = effect(() => {
    const isSame = session.value.kind === 'signed-in' && current?.token === token.value
    if (isSame) return
    stop()
    // Another person may see other projects.
    lastId = undefined
    start()
  })
  return () => {
    endWatch()
    stop()
    clearInterval(timer)
    clearTimeout(hiding)
    reports.stop()
    document.removeEventListener('visibilitychange', showOrHide)
  }
}

const retryMs = 3_000
const hiddenMs = 60_000
/** The daemon measures the use of memory every 15 s. */
const timedMs = 15_000
const timedTopics: ReadonlySet<Topic> = new Set(['stats', 'infrastructure'])
/** The daemon sends a comment every 15 s: a silent connection is broken. */
const maxSilenceMs = 35_000

/** Returns a name of the tabs that see the same changes, which does not tell the token. */
async function nameOfStream(given: string | undefined): Promise<string> {
  if (given === undefined || !crypto.subtle) return 'strata-events'
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given))
  return `strata-events-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}

/** Opens the stream, and breaks it off after too long a silence. */
function openFromBrowser(signal: AbortSignal): OpenEvents {
  return async (headers) => {
    const silent = new AbortController()
    const response = await api.open('followEvents', {
      headers,
      signal: AbortSignal.any([signal, silent.signal]),
    })
    return heard(response, silent)
  }
}

async function* heard(response: Response, silent: AbortController): AsyncGenerator<Uint8Array> {
  const error = new ConnectionError('the daemon is silent', { isSent: true })
  const giveUp = () => {
    reportLoss(error.message)
    silent.abort(error)
  }
  let timer = setTimeout(giveUp, maxSilenceMs)
  try {
    for await (const chunk of chunksOf(response)) {
      clearTimeout(timer)
      timer = setTimeout(giveUp, maxSilenceMs)
      reportAnswer()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
  }
}

const throttleMs = 250

/** Reports the first change at once, and those that follow together. */
function createThrottle(report: (changes: Changes) => void) {
  let waiting: Set<Topic> | 'all' | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    timer = undefined
    if (waiting === undefined) return
    const changes = waiting
    waiting = undefined
    timer = setTimeout(flush, throttleMs)
    report(changes)
  }

  return {
    add(changes: Changes): void {
      if (changes !== 'all' && changes.size === 0) return
      if (changes === 'all' || waiting === 'all') waiting = 'all'
      else waiting = new Set([...(waiting ?? []), ...changes])
      if (timer === undefined) flush()
    },
    stop: () => clearTimeout(timer),
  }
}
