import { type PortRange, rangeText } from '../../domain/port-range.ts'
import { type PortRules, WallFault } from './port-rules.ts'
import { runProgram } from './run-program.ts'

/**
 * Closes ports with nftables: one table for each range, so that daemons with different ranges do not touch each other's
 * rules. `nft` applies a file of commands in one transaction.
 */
export function createNftables(program = 'nft'): PortRules {
  async function run(input: string): Promise<void> {
    const { code, stderr } = await runProgram(program, ['-f', '-'], { input })
    if (code !== 0) throw new WallFault(`nft refuses the rules: ${firstLine(stderr)}`)
  }

  return {
    name: 'nftables',
    close: (range) => run(rulesOf(range)),
    silence: (port, uids) => {
      const table = silentTable(port)
      return run(`add table ${table}
add chain ${table} out { type filter hook output priority 0; policy accept; }
flush chain ${table} out
add rule ${table} out tcp sport ${port} meta skuid ${uids.from}-${uids.to} drop
`)
    },
    unsilence: (port) => run(`add table ${silentTable(port)}\ndelete table ${silentTable(port)}\n`),
    open: (range) => run(`add table inet ${tableOf(range)}\ndelete table inet ${tableOf(range)}\n`),
    async isClosed(range) {
      const { code, stdout } = await runProgram(program, ['list', 'table', 'inet', tableOf(range)])
      return code === 0 && (stdout.match(/tcp dport/g) ?? []).length === 3
    },
  }
}

function silentTable(port: number): string {
  return `inet strata_silent_${port}`
}

function tableOf({ from, to }: PortRange): string {
  return `strata_ports_${from}_${to}`
}

/** `ct state new` keeps replies to outgoing connections whose local port is in the range. */
function rulesOf(range: PortRange): string {
  const table = `inet ${tableOf(range)}`
  const ports = rangeText(range)
  return `add table ${table}
add chain ${table} out { type filter hook output priority 0; policy accept; }
add chain ${table} in { type filter hook input priority 0; policy accept; }
flush chain ${table} out
flush chain ${table} in
add rule ${table} out oifname "lo" tcp dport ${ports} meta skuid 0 accept
add rule ${table} out oifname "lo" tcp dport ${ports} ct state new reject with tcp reset
add rule ${table} in iifname != "lo" tcp dport ${ports} ct state new reject with tcp reset
`
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
