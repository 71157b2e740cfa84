/**
 * AUTOINCREMENT never reuses ids, which processes, log folders and audit records refer to. The conditions of partial
 * indexes are spelled as in the queries, because SQLite compares them textually.
 */
export const sql = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  endpoint TEXT NOT NULL,
  address TEXT,
  tls_ca TEXT,
  tls_cert TEXT,
  tls_key TEXT,
  reserved_memory_mb INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'draining', 'down')),
  state_before_down TEXT NOT NULL CHECK (state_before_down IN ('active', 'draining')),
  reason TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((tls_ca IS NULL) = (tls_cert IS NULL) AND (tls_ca IS NULL) = (tls_key IS NULL))
) STRICT;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_dir TEXT,
  repo_url TEXT,
  context TEXT NOT NULL,
  remote_key TEXT,
  name TEXT NOT NULL,
  pause_after TEXT NOT NULL,
  destroy_after TEXT NOT NULL,
  branches_json TEXT NOT NULL,
  ignore_json TEXT NOT NULL,
  max_environments INTEGER,
  git_token TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((repo_dir IS NULL) <> (repo_url IS NULL))
) STRICT;
CREATE UNIQUE INDEX projects_by_dir ON projects (repo_dir, context) WHERE repo_dir IS NOT NULL;
CREATE UNIQUE INDEX projects_by_url ON projects (repo_url, context) WHERE repo_url IS NOT NULL;
CREATE INDEX projects_by_remote ON projects (remote_key) WHERE remote_key IS NOT NULL;

CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  commit_sha TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('building', 'build_failed', 'running', 'paused', 'hibernating', 'destroyed')),
  hostname TEXT NOT NULL,
  reason TEXT,
  operator TEXT NOT NULL,
  host_port INTEGER,
  container_name TEXT,
  node_id INTEGER NOT NULL REFERENCES nodes (id),
  memory_mb INTEGER NOT NULL,
  release TEXT,
  launch_json TEXT,
  has_run INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_accessed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX environments_by_project ON environments (project_id, id);
CREATE INDEX environments_by_branch ON environments (project_id, branch, id);
CREATE INDEX environments_by_state ON environments (state, id);
CREATE INDEX environments_by_node ON environments (node_id);
CREATE INDEX environments_successful ON environments (project_id, branch, id) WHERE has_run = 1;
CREATE INDEX environments_live ON environments (project_id, branch, id, state)
  WHERE state IN ('running', 'paused', 'hibernating');
CREATE INDEX environments_live_by_hostname ON environments (hostname, id)
  WHERE state IN ('running', 'paused', 'hibernating');

CREATE TABLE hostnames (
  hostname TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  branch TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hostnames_by_branch ON hostnames (project_id, branch);

CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  commit_sha TEXT,
  operator TEXT NOT NULL,
  request_id TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running')),
  not_before INTEGER NOT NULL,
  lease_owner TEXT,
  lease_until INTEGER,
  environment_id INTEGER,
  last_error TEXT,
  CHECK ((state = 'running') = (lease_owner IS NOT NULL) AND (lease_owner IS NULL) = (lease_until IS NULL))
) STRICT;
CREATE INDEX queue_by_project ON queue (project_id);
CREATE UNIQUE INDEX queue_waiting ON queue (project_id, branch) WHERE state = 'waiting';
CREATE UNIQUE INDEX queue_running ON queue (project_id, branch) WHERE state = 'running';

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER,
  project_id INTEGER,
  branch TEXT,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  operator TEXT NOT NULL,
  request_id TEXT
) STRICT;
CREATE INDEX audit_by_time ON audit (occurred_at, id);
CREATE INDEX audit_by_environment ON audit (environment_id, occurred_at, id);
CREATE INDEX audit_by_project ON audit (project_id, occurred_at, id);
CREATE INDEX audit_by_project_branch ON audit (project_id, branch, occurred_at, id);
CREATE INDEX audit_by_project_kind ON audit (project_id, kind, occurred_at, id);
CREATE INDEX audit_by_branch ON audit (branch, occurred_at, id);
CREATE INDEX audit_by_kind ON audit (kind, occurred_at, id);

CREATE TABLE secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  branch TEXT,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (branch IS NULL OR project_id IS NOT NULL)
) STRICT;
CREATE INDEX secrets_by_project ON secrets (project_id, branch, name);
CREATE UNIQUE INDEX secrets_global ON secrets (name) WHERE project_id IS NULL;
CREATE UNIQUE INDEX secrets_of_project ON secrets (project_id, name)
  WHERE project_id IS NOT NULL AND branch IS NULL;
CREATE UNIQUE INDEX secrets_of_branch ON secrets (project_id, branch, name) WHERE branch IS NOT NULL;

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  projects_json TEXT,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'developer', 'maintainer', 'admin')),
  expires_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;

CREATE TABLE deliveries (
  host TEXT NOT NULL,
  id TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (host, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_time ON deliveries (seen_at);
`
