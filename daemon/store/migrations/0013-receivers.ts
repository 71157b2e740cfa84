/** Receivers of statuses and notifications, and the messages that wait for them. A project has one git host. */
export const sql = `
CREATE TABLE receivers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('webhook', 'github', 'gitlab', 'gitea')),
  url TEXT NOT NULL,
  repository TEXT,
  secret TEXT NOT NULL,
  events_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  fault TEXT,
  CHECK ((kind = 'webhook') = (repository IS NULL)),
  CHECK (kind = 'webhook' OR project_id IS NOT NULL)
) STRICT;
CREATE INDEX receivers_by_project ON receivers (project_id);
CREATE UNIQUE INDEX receivers_of_statuses ON receivers (project_id) WHERE kind <> 'webhook';

CREATE TABLE outgoing (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  receiver_id INTEGER NOT NULL REFERENCES receivers (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  subject TEXT,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  not_before INTEGER NOT NULL
) STRICT;
CREATE INDEX outgoing_by_receiver ON outgoing (receiver_id, not_before, id);
`
