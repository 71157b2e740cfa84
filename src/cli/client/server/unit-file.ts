import { dirname } from 'node:path'
import { currentProgram, layout } from './layout.ts'

/** Capabilities that neither the daemon nor its walls use. All others stay: the walls of projects need them. */
const droppedCapabilities = [
  'CAP_AUDIT_CONTROL',
  'CAP_BLOCK_SUSPEND',
  'CAP_LINUX_IMMUTABLE',
  'CAP_MAC_ADMIN',
  'CAP_MAC_OVERRIDE',
  'CAP_SYSLOG',
  'CAP_SYS_BOOT',
  'CAP_SYS_MODULE',
  'CAP_SYS_PACCT',
  'CAP_SYS_RAWIO',
  'CAP_SYS_TIME',
  'CAP_SYS_TTY_CONFIG',
  'CAP_WAKE_ALARM',
]

/**
 * Returns the text of the systemd unit. The daemon runs as root: only root can give each project a user, namespaces,
 * control groups and packet rules of its own. `nodePath` is the absolute path of Node.js. See
 * docs/adr/0087-install-a-server.md for directives that are missing on purpose.
 */
export function renderUnit({ nodePath }: { nodePath: string }): string {
  return `# Written by strata server install. Put changes into a drop-in: systemctl edit stratad
[Unit]
Description=Strata daemon
Documentation=file:${layout.current}/node_modules/stratad/docs/production.md
Wants=network-online.target
After=network-online.target
RequiresMountsFor=${layout.dataDir}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${quoted(nodePath)} ${currentProgram('stratad')}
Environment=SERVICE_DATA_DIR=${layout.dataDir}
Environment=${quoted(`PATH=${searchPath(nodePath)}`)}
WorkingDirectory=${layout.dataDir}

# The gateway and the apps outlive the daemon, and the next daemon adopts them.
KillMode=process
KillSignal=SIGTERM
TimeoutStopSec=30
TimeoutStartSec=120
Restart=always
RestartSec=2
OOMPolicy=continue

# The walls of projects need control groups, processes and open files without a limit of the unit.
Delegate=yes
TasksMax=infinity
LimitNOFILE=524288

# Hardening that leaves the walls standing. Apps and builds inherit it.
NoNewPrivileges=yes
CapabilityBoundingSet=~${droppedCapabilities.join(' ')}
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictRealtime=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`
}

/** Builds find npm beside Node.js. */
function searchPath(nodePath: string): string {
  const system = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return [...new Set([dirname(nodePath), ...system])].join(':')
}

/** Quotes a word of a directive. A percent sign starts a specifier of systemd, and a dollar sign a variable. */
function quoted(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replace(/["\\]/g, '\\$&')}"` : escaped
}
