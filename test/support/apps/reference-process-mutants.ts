/** Broken processes of the reference: the name of each, and the check that must fail. */
export const processMutants = {
  'drops-requests':
    'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
  'no-handler':
    'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
  'exits-1':
    'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
  'last-write-lost':
    'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
  'second-signal': 'a second SIGTERM aborts no request',
  'closes-unannounced':
    'after SIGTERM busy keep-alive connections end with an answer that closes them',
  'ignores-sigterm': 'an idle keep-alive connection does not delay the exit',
  'idle-holds': 'an idle keep-alive connection does not delay the exit',
  'waits-for-ever':
    'a silent connection and an endless request delay the exit by ten seconds at most',
  'first-setting-only':
    'all invalid settings are named at once, with exit code 1 and no stack trace',
  'settings-stack': 'all invalid settings are named at once, with exit code 1 and no stack trace',
  'settings-exit-0': 'all invalid settings are named at once, with exit code 1 and no stack trace',
  'settings-show-values':
    'all invalid settings are named at once, with exit code 1 and no stack trace',
  'any-database': 'all invalid settings are named at once, with exit code 1 and no stack trace',
  'taken-port-stack': 'a PORT in use stops the start',
  'any-port': 'an invalid PORT stops the start',
  'binds-all': 'the app listens only on HOST',
  'log-level-ignored': 'LOG_LEVEL=error omits the request lines',
  'ready-while-stopping': 'after SIGTERM /ready answers 503 on open connections',
  'keep-alive-5-seconds': 'a keep-alive connection may be idle for 65 seconds',
  'cors-for-all': 'without CORS_ORIGINS no page of another origin may call the API',
  'cors-echoes': 'CORS_ORIGINS lets pages of these origins send requests and read all answers',
  'cors-for-one': 'CORS_ORIGINS lets pages of these origins send requests and read all answers',
  'cors-no-star': 'CORS_ORIGINS=* lets pages of every origin send requests',
  'docs-in-production':
    'GET /docs is a page without outside resources, and is off in production unless DOCS=1',
  'docs-from-cdn':
    'GET /docs is a page without outside resources, and is off in production unless DOCS=1',
  'metrics-open':
    'GET /metrics counts requests by route if METRICS=1, and does not exist otherwise',
  'metrics-by-path':
    'GET /metrics counts requests by route if METRICS=1, and does not exist otherwise',
  forgets: 'a restart keeps the records and continues their ids',
  'ids-restart': 'a restart keeps the records and continues their ids',
  'saves-late': 'acknowledged writes survive kill -9',
  'failure-tells': 'a store failure answers 500 or 503 without details, and the process continues',
  'failure-crashes':
    'a store failure answers 500 or 503 without details, and the process continues',
  'plain-log': 'every log line is JSON, and each request has one line with its own id',
  'banner-line': 'every log line is JSON, and each request has one line with its own id',
  'no-request-id': 'every log line is JSON, and each request has one line with its own id',
  'one-request-id': 'every log line is JSON, and each request has one line with its own id',
  'two-lines': 'every log line is JSON, and each request has one line with its own id',
  'log-own-id': 'the log line of a request has the id that the request sent',
  'aborted-as-answered': 'the log has no success for a request that the client aborted',
  'logs-headers': 'the log contains no credential',
  'port-3000': 'the app listens on 8080 if PORT is not set',
} as const satisfies Readonly<Record<string, string>>

export type ProcessMutantName = keyof typeof processMutants
