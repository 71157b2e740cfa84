import { render } from 'preact'
import { Shell } from './app/shell.tsx'
import { startLive } from './state/live.ts'
import { pollingSource } from './state/polling.ts'
import { startRouter } from './state/router.ts'
import { startSession } from './state/session.ts'
import { readTheme, theme } from './state/theme.ts'

theme.value = readTheme()
startRouter()
startLive(pollingSource)
void startSession()

const root = document.getElementById('page')
if (root) render(<Shell />, root)
