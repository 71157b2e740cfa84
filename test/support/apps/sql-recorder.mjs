// Loaded before an emitted application on SQLite, which then gets a driver that records its statements.
import { register } from 'node:module'

register('./sql-recorder-hooks.mjs', import.meta.url)
