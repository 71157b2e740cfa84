/**
 * Existing projects get the first branch that ran as default branch, until the next fetch reads the HEAD of the remote.
 */
export const sql = `
ALTER TABLE projects ADD COLUMN default_branch TEXT;
UPDATE projects SET default_branch = (
  SELECT branch FROM environments WHERE project_id = projects.id ORDER BY has_run DESC, id LIMIT 1
);
`
