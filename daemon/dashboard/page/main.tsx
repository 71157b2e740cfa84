import { render } from 'preact'
import { Shell } from './app/shell.tsx'
import { eventSource } from './state/event-source.ts'
import { startLive } from './state/live.ts'
import { startRouter } from './state/router.ts'
import { startSession } from './state/session.ts'
import { readTheme, theme } from './state/theme.ts'

theme.value = readTheme()
startRouter()
startLive(eventSource)
void startSession()

const root = document.getElementById('page')
if (root) render(<Shell />, root)
