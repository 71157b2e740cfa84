import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { visit } from '../support/stratad/call.ts'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { type Inside, scriptOf } from '../support/walls/hostile-app.ts'
import { deployHostile, deployVictim, type Hostile, type Victim } from '../support/walls/tenants.ts'

describe.skipIf(noWalls)(`a hostile app${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  let host: Host
  let victim: Victim
  let hostile: Hostile
  /** Pids of the daemon, the gateway, the victim and the init process. */
  let others: number[]

  beforeAll(async () => {
    host = await startHost()
    victim = await deployVictim(host)
    hostile = await deployHostile(host, 'hostile', {
      'package.json': JSON.stringify({
        name: 'hostile',
        scripts: { start: 'node server.js', preinstall: 'node install.js', build: 'node build.js' },
      }),
      'install.js': scriptOf(identity, null, 'install.json'),
      'build.js': scriptOf(identity, null, 'build.json'),
    })
    others = [1, process.pid, host.daemon.process.pid ?? 0, gatewayOf(host), victim.pid]
  })
  afterAll(() => host.remove())

  test('runs without capabilities, extra groups and new privileges', async () => {
    const { uid, gid, groups, status } = await hostile.attack(identity, null)
    expect(uid).toBeGreaterThan(999)
    expect({ gid, groups }).toEqual({ gid: uid, groups: [uid] })
    expect(status).toEqual({
      ...{ CapInh: 0, CapPrm: 0, CapEff: 0, CapBnd: 0, CapAmb: 0 },
      NoNewPrivs: 1,
    })
  })

  test.each(['install', 'build'])(
    'gives its %s script the user and the rights of the app',
    async (step) => {
      const app = await hostile.attack(identity, null)
      const text = await hostile.attack(
        ({ require }, name) => require('node:fs').readFileSync(name, 'utf8') as string,
        `${step}.json`,
      )
      expect(JSON.parse(text)).toEqual({ value: app })
    },
  )

  test('sees no process but its own', async () => {
    const { uids, pids } = await hostile.attack(({ require }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const pids = fs.readdirSync('/proc').filter((name: string) => /^\d+$/.test(name))
      const uids = pids.map((pid: string) => fs.statSync(`/proc/${pid}`).uid)
      return { pids: pids.map(Number), uids: [...new Set(uids)] }
    }, null)
    expect(uids).toEqual([await hostile.uid()])
    expect(pids.filter((pid) => others.includes(pid))).toEqual([])
  })

  test.each(['environ', 'mem', 'maps', 'cmdline', 'stack', 'auxv', 'io', 'status', 'comm'])(
    "can't read /proc/<pid>/%s of the daemon, the gateway or a neighbor",
    async (file) => {
      const results = await hostile.attack(
        async ({ require, attempt }, { pids, name }) => {
          const fs = require('node:fs') as typeof import('node:fs')
          const found: string[] = []
          for (const pid of pids) {
            const path = `/proc/${pid}/${name}`
            found.push(
              await attempt(() => fs.readSync(fs.openSync(path, 'r'), Buffer.alloc(16))),
              await attempt(() =>
                fs.readSync(fs.openSync(`/proc/${pid}/task/${pid}/${name}`, 'r'), Buffer.alloc(16)),
              ),
            )
          }
          return found
        },
        { pids: others, name: file },
      )
      expect(results).not.toContain('done')
    },
  )

  test.each(['cwd', 'root', 'fd', 'exe', 'ns'])(
    "can't follow /proc/<pid>/%s of the daemon, the gateway or a neighbor",
    async (name) => {
      const results = await hostile.attack(
        async ({ require, attempt }, input) => {
          const fs = require('node:fs') as typeof import('node:fs')
          const found: string[] = []
          for (const pid of input.pids) {
            const path = `/proc/${pid}/${input.name}`
            found.push(await attempt(() => fs.readdirSync(path)))
            found.push(await attempt(() => fs.readlinkSync(path)))
          }
          return found
        },
        { pids: others, name },
      )
      expect(results).not.toContain('done')
    },
  )

  test("can't send a signal to the daemon, the gateway, a neighbor or the init process", async () => {
    const results = await hostile.attack(async ({ process, attempt }, pids) => {
      const found: string[] = []
      for (const pid of pids) {
        for (const signal of [0, 'SIGSTOP', 'SIGCONT', 'SIGKILL']) {
          found.push(await attempt(() => process.kill(pid, signal)))
        }
        // The group -1 is every process that the app may signal: itself.
        if (pid > 1) found.push(await attempt(() => process.kill(-pid, 'SIGKILL')))
      }
      return found
    }, others)
    expect(results).not.toContain('done')
    expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
  })

  test("can't trace a process or read its memory by system call", async () => {
    const results = await hostile.attack(
      ({ run }, { pids, numbers }) =>
        pids.map((pid) => {
          // perl can make any system call: attach (16), seize (0x4206), pidfd_open, kcmp, process_vm_readv.
          const code = [
            `print 0 + syscall(${numbers.ptrace}, 16, ${pid}, 0, 0), ' '`,
            `print 0 + syscall(${numbers.ptrace}, 0x4206, ${pid}, 0, 0), ' '`,
            `print 0 + syscall(${numbers.kcmp}, ${pid}, $$, 0, 0, 0), ' '`,
            'my $buffer = "x" x 16; my $local = pack("PQ", $buffer, 16); my $remote = pack("QQ", 4194304, 16)',
            `print 0 + syscall(${numbers.readv}, ${pid}, $local, 1, $remote, 1, 0)`,
          ].join('; ')
          return run('perl', ['-e', code]).output
        }),
      {
        pids: others,
        numbers:
          process.arch === 'arm64'
            ? { ptrace: 117, kcmp: 272, readv: 270 }
            : { ptrace: 101, kcmp: 312, readv: 310 },
      },
    )
    expect(results).toEqual(others.map(() => '-1 -1 -1 -1'))
  })

  test.each([
    ['become root', 'setpriv', ['--reuid', '0', 'id', '-u']],
    ['become its neighbor', 'setpriv', ['--reuid', '70001', '--regid', '70001', 'id', '-u']],
    ['join a group', 'setpriv', ['--groups', '0', 'id']],
    ['enter the mount namespace of the host', 'nsenter', ['--target', '1', '--mount', 'id']],
    ['mount a file system', 'mount', ['-t', 'tmpfs', 'none', '/tmp']],
    ['show the temporary folder of the host', 'umount', ['/tmp']],
    ['show all processes', 'mount', ['-o', 'remount,hidepid=0', '/proc']],
    ['use a setuid program', 'passwd', ['--status', 'root']],
    ['use su', 'su', ['-c', 'id', 'root']],
    ['use crontab', 'crontab', ['/dev/null']],
    ['change the root folder', 'chroot', ['/', 'id']],
    ['create a device', 'mknod', ['/tmp/device', 'b', '8', '0']],
    ['change the address of an interface', 'ip', ['address', 'add', '10.99.99.1/32', 'dev', 'lo']],
    ['remove the packet rules', 'ip', ['rule', 'flush']],
    ['remove the packet table', 'nft', ['flush', 'ruleset']],
    ['change a host name', 'hostname', ['planted']],
    ['set the clock', 'date', ['--set', '@0']],
  ])("can't %s", async (_, program, args) => {
    const { code } = await hostile.attack(({ run }, input) => run(input.program, input.args), {
      program,
      args,
    })
    expect(code).not.toBe(0)
  })

  test('gains nothing by a user namespace of its own', async () => {
    const text = await hostile.attack(
      ({ run }, pid) =>
        run(
          'unshare',
          ['--user', '--map-root-user', '--mount', '--pid', '--fork', 'sh', '-s'],
          `umount -l /tmp; umount -l /var/tmp; umount -l /dev/shm; umount -l /proc
mount -t proc none /proc
ls /tmp; cat /tmp/victim-file /dev/shm/victim-file; cat /proc/${pid}/environ; cat /etc/shadow
kill -0 ${pid} && echo reached`,
        ).output,
      victim.pid,
    )
    for (const canary of Object.values(host.canaries)) expect(text).not.toContain(canary)
    expect(text).not.toMatch(/^root:|victim-file$|^reached$/m)
  })

  test("can't change the limits of the daemon or of a neighbor", async () => {
    const results = await hostile.attack(
      ({ run }, pids) =>
        pids.map((pid) => run('prlimit', ['--pid', String(pid), '--nofile=8']).code),
      others,
    )
    expect(results).not.toContain(0)
  })

  test("can't leave its control groups or change their limits", async () => {
    const results = await hostile.attack(async ({ require, process, attempt }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const mounts = fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
      const roots = mounts
        .filter((line: string) => / - cgroup2? /.test(line))
        .map((line: string) => line.split(' ')[4])
      const own = fs
        .readFileSync('/proc/self/cgroup', 'utf8')
        .split('\n')
        .map((line: string) => line.split(':')[2])
      const found: string[] = []
      for (const root of roots) {
        for (const group of ['', ...own]) {
          const folder = `${root}${group ?? ''}`
          for (const file of [
            'cgroup.procs',
            'tasks',
            'memory.max',
            'memory.limit_in_bytes',
            'pids.max',
            'cpu.max',
            'cpu.cfs_quota_us',
            'cgroup.kill',
            'cgroup.freeze',
            'release_agent',
          ]) {
            const result = await attempt(() =>
              fs.writeFileSync(`${folder}/${file}`, String(process.pid), { flag: 'r+' }),
            )
            if (result === 'done') found.push(`${folder}/${file}`)
          }
        }
      }
      return found
    }, null)
    expect(results).toEqual([])
  })

  test('inherits no open file of the daemon', async () => {
    const targets = await hostile.attack(({ require }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      return fs.readdirSync('/proc/self/fd').flatMap((fd: string) => {
        try {
          return [fs.readlinkSync(`/proc/self/fd/${fd}`)]
        } catch {
          return []
        }
      })
    }, null)
    const files = targets.filter((target) => target.startsWith(host.daemon.dataDir))
    const logs = `${host.daemon.dataDir}/logs/${hostile.environmentId}/`
    expect(files.filter((target) => !target.startsWith(logs))).toEqual([])
  })

  test('shares no memory segments, semaphores or message queues with a neighbor', async () => {
    const code = 'print 0 + shmget(4711, 4096, 01666), " ", 0 + msgget(4711, 01666)'
    const other = await deployHostile(host, 'second')
    const create = ({ run }: Inside, source: string) => run('perl', ['-e', source]).output
    await hostile.attack(create, code)
    const list = await other.attack(({ require }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      return ['shm', 'msg', 'sem'].map(
        (name) => fs.readFileSync(`/proc/sysvipc/${name}`, 'utf8').trim().split('\n').length,
      )
    }, null)
    expect(list).toEqual([1, 1, 1])
  })

  test('that kills every process it may signal ends alone and is started again', async () => {
    await hostile
      .attack(({ process }) => {
        setTimeout(() => process.kill(-1, 'SIGKILL'), 50)
      }, null)
      .catch(() => undefined)
    const isBack = async () => (await visit(host.daemon, hostile.host())).text.startsWith('hostile')
    expect(await eventually(isBack, 30_000)).toBe(true)
    expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
  })
})

/** Returns the user and the rights of the current process. Runs inside the hostile app. */
function identity({ require, process }: Inside) {
  const status = require('node:fs').readFileSync('/proc/self/status', 'utf8') as string
  const names = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs']
  const value = (name: string) =>
    Number.parseInt(new RegExp(`^${name}:\\s*(\\w+)$`, 'm').exec(status)?.[1] ?? '-1', 16)
  return {
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    groups: process.getgroups?.() ?? [],
    status: Object.fromEntries(names.map((name) => [name, value(name)])),
  }
}

function gatewayOf({ daemon }: Host): number {
  const isGateway = (pid: string) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      return command.includes('strata-gateway') && (command + environment).includes(daemon.dataDir)
    } catch {
      return false
    }
  }
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isGateway(name))
  if (pid === undefined) throw new Error('no gateway runs')
  return Number(pid)
}
