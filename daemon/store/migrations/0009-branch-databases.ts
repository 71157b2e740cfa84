/** No foreign key: the database of a trash entry outlives its project. */
export const sql = `
CREATE TABLE branch_databases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  branch TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('postgres', 'mysql', 'mongodb')),
  name TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('creating', 'ready')),
  trash_id INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX branch_databases_of_branch ON branch_databases (project_id, branch, kind)
  WHERE trash_id IS NULL;
CREATE INDEX branch_databases_in_trash ON branch_databases (trash_id) WHERE trash_id IS NOT NULL;
`
