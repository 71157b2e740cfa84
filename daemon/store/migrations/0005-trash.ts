/** No foreign key: an entry outlives its project, and its branch has rows only as long as the project. */
export const sql = `
CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  project TEXT NOT NULL,
  source TEXT NOT NULL,
  branch TEXT NOT NULL,
  volume TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('moving', 'kept', 'purging')),
  size_bytes INTEGER,
  trashed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  operator TEXT NOT NULL,
  reason TEXT NOT NULL
    CHECK (reason IN ('destroyed', 'expired', 'branch_deleted', 'project_deleted'))
) STRICT;
CREATE INDEX trash_by_branch ON trash (project_id, branch, id);
CREATE INDEX trash_by_expiry ON trash (expires_at);
CREATE INDEX trash_unfinished ON trash (id) WHERE state <> 'kept';
`
