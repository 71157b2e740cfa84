/** Broken ways to run the reference: the name of each, and the check that must notice. */
export const processMutants = {
  'drops-requests': 'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
  'no-handler': 'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
  'exits-1': 'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
  'last-write-lost': 'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
  'second-signal': 'a second SIGTERM cuts no request off',
  'ignores-sigterm': 'an idle keep-alive connection does not hold the exit',
  'idle-holds': 'an idle keep-alive connection does not hold the exit',
  'waits-for-ever':
    'a silent connection and a request that never ends hold the exit ten seconds at most',
  'first-setting-only': 'settings that are wrong are all named at once, with exit 1 and no stack',
  'settings-stack': 'settings that are wrong are all named at once, with exit 1 and no stack',
  'settings-exit-0': 'settings that are wrong are all named at once, with exit 1 and no stack',
  'settings-show-values': 'settings that are wrong are all named at once, with exit 1 and no stack',
  'any-database': 'settings that are wrong are all named at once, with exit 1 and no stack',
  'taken-port-stack': 'a PORT that somebody listens on is refused at the start',
  'any-port': 'a PORT that is no port is refused at the start',
  'binds-all': 'HOST is the only address it listens on',
  'log-level-ignored': 'a LOG_LEVEL of error leaves out the lines of requests',
  forgets: 'a restart keeps the records, and goes on with their ids',
  'ids-restart': 'a restart keeps the records, and goes on with their ids',
  'saves-late': 'what was answered outlives a kill -9',
  'failure-tells': 'a store that fails is a 500 or 503 that tells nothing, and the process goes on',
  'failure-crashes':
    'a store that fails is a 500 or 503 that tells nothing, and the process goes on',
  'plain-log': 'every line of the log is JSON, and each request has one, with an id of its own',
  'banner-line': 'every line of the log is JSON, and each request has one, with an id of its own',
  'no-request-id': 'every line of the log is JSON, and each request has one, with an id of its own',
  'one-request-id':
    'every line of the log is JSON, and each request has one, with an id of its own',
  'two-lines': 'every line of the log is JSON, and each request has one, with an id of its own',
  'log-own-id': 'the id that a request brings is the one in its line',
  'logs-headers': 'the log tells no credential',
  'port-3000': 'it listens on 8080 when PORT is not set',
} as const satisfies Readonly<Record<string, string>>

export type ProcessMutantName = keyof typeof processMutants
