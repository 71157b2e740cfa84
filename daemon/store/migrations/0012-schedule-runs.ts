/** The unique constraint prevents two runs of one time, also by two daemons. */
export const sql = `
CREATE TABLE schedule_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  name TEXT NOT NULL,
  environment_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  outcome TEXT NOT NULL
    CHECK (outcome IN ('running', 'succeeded', 'failed', 'timed_out', 'unknown', 'skipped', 'missed')),
  exit_code INTEGER,
  detail TEXT,
  UNIQUE (project_id, branch, name, due_at)
) STRICT;
CREATE INDEX schedule_runs_running ON schedule_runs (id) WHERE outcome = 'running';
`
