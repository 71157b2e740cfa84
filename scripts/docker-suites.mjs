// The suites that start a daemon, by whether they run on the docker runtime, too.

/** Suites that name no runtime. `npm run test:docker` runs them on an engine. */
export const dockerSuites = [
  'test/cli-client/domain.test.ts',
  'test/cli-client/notify.test.ts',
  'test/cli-client/one-user.test.ts',
  'test/cli-client/pipes.test.ts',
  'test/cli-client/remote.test.ts',
  'test/cli-client/run.test.ts',
  'test/cli-client/trash.test.ts',
  'test/cli-client/watch.test.ts',
  'test/daemon/base-domain.test.ts',
  'test/daemon/clock-jump.test.ts',
  'test/daemon/data-quota.slow.test.ts',
  'test/daemon/data-restore.slow.test.ts',
  'test/daemon/events.test.ts',
  'test/daemon/faults.slow.test.ts',
  'test/daemon/fuzz.test.ts',
  'test/daemon/generated-secrets.test.ts',
  'test/daemon/git-pushes.test.ts',
  'test/daemon/hostile.test.ts',
  'test/daemon/kills.slow.test.ts',
  'test/daemon/lifetimes.test.ts',
  'test/daemon/one-app-life.test.ts',
  'test/daemon/polling.test.ts',
  'test/daemon/processes.test.ts',
  'test/daemon/pushes.test.ts',
  'test/daemon/restore-ids.test.ts',
  'test/daemon/restore.slow.test.ts',
  'test/daemon/schedules.full.test.ts',
  'test/daemon/secrecy.test.ts',
  'test/daemon/shares.test.ts',
  'test/daemon/start.test.ts',
  'test/daemon/trash-kills.full.test.ts',
  'test/daemon/trash.test.ts',
  'test/daemon/trusted-proxies.test.ts',
]

/** Suites that run on processes alone, with the reason. */
export const processSuites = {
  'test/cli-client/daemon-config.test.ts': 'deploys nothing',
  'test/daemon/any-app.slow.test.ts':
    'toolchains of the host; test/docker/other-apps.slow.test.ts has their images',
  'test/daemon/branch-databases.slow.test.ts':
    'a database on the loopback address of the host, which no container reaches',
  'test/daemon/disk.slow.test.ts':
    'builds on the disk of the data folder; test/docker/faults.full.test.ts fills the disk of an engine',
  'test/daemon/domains.slow.test.ts': 'needs an authority, and no runtime',
  'test/daemon/examples.full.test.ts': 'packages of the host',
  'test/daemon/log-floods.slow.test.ts': 'processes are held, and containers are not',
  'test/daemon/soak.full.test.ts': 'many small deploys, which take an image each',
}
