/**
 * `source_key` is the `remote_key` of a project with a `repo_url`. Older daemons registered one remote once for each
 * spelling of its URL. Of such projects, the oldest gets the key and the others keep NULL, so that no project is lost.
 */
export const sql = `
ALTER TABLE projects ADD COLUMN source_key TEXT;
UPDATE projects SET source_key = remote_key WHERE id IN (
  SELECT min(id) FROM projects
  WHERE repo_url IS NOT NULL AND remote_key IS NOT NULL
  GROUP BY remote_key, context
);
CREATE UNIQUE INDEX projects_by_source ON projects (source_key, context)
  WHERE source_key IS NOT NULL;
`
